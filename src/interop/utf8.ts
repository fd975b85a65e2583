import { strFromU8, strToU8 } from 'fflate';

/**
 * The text of UTF-8 bytes; null where they are anything else (stray bytes, overlong forms, a byte-order mark). A decoder that
 * mends what it cannot read would let two different files read as one, so the text must encode to the same bytes.
 */
export function strictUtf8(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = strFromU8(bytes);
  } catch {
    return null;
  }
  return areEqual(strToU8(text), bytes) ? text : null;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
