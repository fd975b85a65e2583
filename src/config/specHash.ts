import { strToU8 } from 'fflate';
import { isPlainObject } from './dataPath';
import { noDiagnostics } from './defaults';

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/**
 * A name for exactly this specification: 16 hexadecimal digits, FNV-1a (64 bits) of its JSON with sorted keys. Equal on every
 * machine and whatever the order of keys. Tells runs and figures apart; it is no defence against forgery. `spec`: a specification as
 * it stands in a document, which may be from before some of today's sections.
 *
 * Diagnostics that are off, as they are by default, are left out: a document from before there were any keeps its name. Others are
 * part of it though they change no training, because what a run reports, and what a link must carry, differs. So is each setting that
 * came later, unless it is off.
 */
export function specHash(spec: Readonly<Record<string, unknown>>): string {
  const { diagnostics, ...rest } = spec;
  const measured = withoutLater(diagnostics);
  const isDefault = canonicalJson(measured) === canonicalJson(withoutLater(noDiagnostics));
  return fnv1a64(canonicalJson(isDefault ? rest : { ...rest, diagnostics: measured }));
}

/** Diagnostics without those that there were not from the start and that are off. */
function withoutLater(diagnostics: unknown): unknown {
  if (!isPlainObject(diagnostics) || diagnostics['blame'] !== noDiagnostics.blame)
    return diagnostics;
  const { blame: _off, ...measured } = diagnostics;
  return measured;
}

/** Of the text's UTF-8 bytes. Fowler, Noll, Vo, Eastlake 2019, "The FNV Non-Cryptographic Hash Algorithm". */
export function fnv1a64(text: string): string {
  let hash = offsetBasis;
  for (const byte of strToU8(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, '0');
}

/** JSON with sorted keys: equal texts for equal plain data, whatever the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, withSortedKeys(entry)]));
}
