import { deflateSync, Inflate } from 'fflate';
import { parseBase64url, toBase64url } from '../config/base64url';

/**
 * Columns of numbers as text that JSON can carry: little-endian, bytes of equal weight side by side (exponents repeat, the last
 * digits do not), deflated, base64url. Exact: every bit of every number comes back, NaN and ±Infinity included.
 */

/**
 * Compressed bytes inflated at once: at most 8.5 MB come out before the limit is looked at again. Each step copies the 32 kB that
 * the next may refer to, so that steps as short as those of links would spend most of the time on copies.
 */
const inflateStep = 8192;

/** [n] float64 */
export function packFloat64(values: Float64Array): string {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setFloat64(8 * i, value, true);
  return pack(sideBySide(bytes, 8));
}

/** [n] int32 */
export function packInt32(values: Int32Array): string {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setInt32(4 * i, value, true);
  return pack(sideBySide(bytes, 4));
}

/** The `length` numbers, or in words why the text does not hold them. Never unpacks more than they take. */
export function unpackFloat64(text: string, length: number): Float64Array | string {
  const bytes = unpackExactly(text, 8, length);
  if (typeof bytes === 'string') return bytes;
  const view = new DataView(bytes.buffer);
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = view.getFloat64(8 * i, true);
  return values;
}

/** As `unpackFloat64`. */
export function unpackInt32(text: string, length: number): Int32Array | string {
  const bytes = unpackExactly(text, 4, length);
  if (typeof bytes === 'string') return bytes;
  const view = new DataView(bytes.buffer);
  const values = new Int32Array(length);
  for (let i = 0; i < length; i++) values[i] = view.getInt32(4 * i, true);
  return values;
}

/** First byte of every number, then the second of every number, … */
function sideBySide(bytes: Uint8Array, size: number): Uint8Array {
  const length = bytes.length / size;
  const planes = new Uint8Array(bytes.length);
  for (let plane = 0; plane < size; plane++)
    for (let i = 0; i < length; i++) planes[plane * length + i] = bytes[i * size + plane]!;
  return planes;
}

function unpackExactly(text: string, size: number, length: number): Uint8Array | string {
  const planes = unpack(text, size * length);
  if (typeof planes === 'string') return planes;
  if (planes.length !== size * length)
    return `${planes.length} bytes came, expected ${size * length} (${length} numbers)`;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < size; plane++)
    for (let i = 0; i < length; i++) bytes[i * size + plane] = planes[plane * length + i]!;
  return bytes;
}

/** Bytes as text, deflated. */
export function pack(bytes: Uint8Array): string {
  return toBase64url(deflateSync(bytes, { level: 9 }));
}

/** The bytes, or in words why there are none. Stops as soon as more than `maxBytes` have come out. */
export function unpack(text: string, maxBytes: number): Uint8Array | string {
  const compressed = parseBase64url(text);
  if (compressed === null) return 'characters came that base64url does not have, or one was lost';
  const inflated = new Uint8Array(maxBytes);
  const progress = { numBytes: 0 };
  const stream = new Inflate((chunk) => {
    if (progress.numBytes + chunk.length <= maxBytes) inflated.set(chunk, progress.numBytes);
    progress.numBytes += chunk.length;
  });
  try {
    for (let i = 0; i < compressed.length; i += inflateStep) {
      stream.push(compressed.subarray(i, i + inflateStep), i + inflateStep >= compressed.length);
      if (progress.numBytes > maxBytes)
        return `it unpacks to more than the ${maxBytes} bytes that it may hold`;
    }
  } catch {
    return 'it does not inflate: the text is damaged or cut off';
  }
  return inflated.slice(0, progress.numBytes);
}
