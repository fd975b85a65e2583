/** RFC 4648 §5, without padding: the characters that an address carries unescaped. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const sextets: ReadonlyMap<string, number> = new Map(Array.from(alphabet, (char, i) => [char, i]));

/** Three bytes to four characters; one or two bytes left over to two or three. */
export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let numBits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    for (numBits += 8; numBits >= 6; numBits -= 6)
      text += alphabet.charAt((pending >>> (numBits - 6)) & 63);
    pending &= 63;
  }
  return numBits > 0 ? text + alphabet.charAt((pending << (6 - numBits)) & 63) : text;
}

/** The bytes, or null when `text` holds another character or has a length that no byte count gives. */
export function parseBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let pending = 0;
  let numBits = 0;
  let numBytes = 0;
  for (const char of text) {
    const sextet = sextets.get(char);
    if (sextet === undefined) return null;
    pending = ((pending << 6) | sextet) & 0x3fff;
    numBits += 6;
    if (numBits < 8) continue;
    numBits -= 8;
    bytes[numBytes++] = pending >>> numBits;
  }
  return bytes;
}
