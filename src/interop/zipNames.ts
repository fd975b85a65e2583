const longestName = 200;

const plainPart = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Names of devices, whatever follows a dot. Microsoft, “Naming Files, Paths, and Namespaces”. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** What every JavaScript object answers to: whoever keys an object by file then needs no second thought. */
function isInherited(part: string): boolean {
  return part in Object.prototype;
}

/**
 * Why a file of an archive may not have this name; null if it may. Names are relative paths of plain ASCII: whatever unpacks the
 * archive, no file lands outside its folder, over another one, or where a system reads it as something else.
 */
export function zipNameFault(name: string): string | null {
  if (name.length === 0 || name.length > longestName)
    return `the name has ${name.length} characters, expected 1 to ${longestName}`;
  if (name.includes('\\')) return 'a backslash, which is a separator on some systems only';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'an absolute path';
  if (name.endsWith('/')) return 'a directory: only files are expected';
  const parts = name.split('/');
  if (parts.includes('..') || parts.includes('.'))
    return 'a path that leaves or repeats its folder';
  if (parts.some(isInherited)) return 'a name that JavaScript keeps for itself';
  if (parts.some((part) => part.endsWith('.') || device.test(part)))
    return 'a name that Windows reads as another one';
  return parts.every((part) => plainPart.test(part))
    ? null
    : 'something else than letters, digits, dots, dashes and underscores';
}
