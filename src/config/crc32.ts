/** x³² + x²⁶ + … + 1 with its bits reversed, as ZIP and PNG use it. */
const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? polynomial : 0);
  return rest;
});

/**
 * CRC-32 of bytes, unsigned. ISO 3309; PNG specification, annex D.
 * @param before checksum of the bytes before these: crc32(b, crc32(a)) is that of a and b in a row
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = before ^ 0xffffffff;
  for (const byte of bytes) rest = table[(rest ^ byte) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
