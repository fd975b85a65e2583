import { crc32 } from '../config/crc32';
import { plainCopy } from '../config/plainData';
import { canonicalJson } from '../config/specHash';

/**
 * Plain data with number arrays in it, as bytes. All little-endian:
 *
 * | bytes | hold |
 * |---|---|
 * | 8 | `MARLRUN` and a line feed |
 * | 4 | version, uint32 |
 * | 4 | length of the header, uint32 |
 * | header | JSON in ASCII with sorted keys; an array stands there as its type and length, e.g. `{"f32":4}` |
 * | … | the arrays in the order of the header, each from a multiple of 8 on; between them zeros |
 * | 4 | CRC-32 of all that stands before it |
 *
 * No array has a place of its own in the header, so none can lie outside the file or over another. There is one file for one tree:
 * whatever else a reader could take it for is refused.
 */

const magic = Array.from('MARLRUN\n', (character) => character.charCodeAt(0));
const version = 1;
const fixedBytes = 16;
const crcBytes = 4;
/** A run of 64 replicas has some hundred kilobytes of header. */
const maxHeaderBytes = 8 * 1024 * 1024;
/** What an ArrayBuffer can hold everywhere. */
const maxFileBytes = 2 ** 31 - 1;

const types = {
  f32: Float32Array<ArrayBuffer>,
  f64: Float64Array<ArrayBuffer>,
  i32: Int32Array<ArrayBuffer>,
} as const;

type ArrayType = keyof typeof types;
type NumberArray = InstanceType<(typeof types)[ArrayType]>;

/** What a file is refused with. */
class ArrayFileError extends Error {}

export type ParsedArrayFile =
  { readonly ok: true; readonly tree: unknown } | { readonly ok: false; readonly reason: string };

function isArrayOf(type: ArrayType, value: unknown): value is NumberArray {
  return value instanceof types[type];
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** Index of the first number that is not finite; −1 without one. */
function nonFiniteAt(values: NumberArray): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}

function requireFinite(values: NumberArray, path: string): void {
  const at = nonFiniteAt(values);
  if (at >= 0)
    throw new ArrayFileError(
      `${path} holds ${values[at]} at position ${at}, expected finite numbers`,
    );
}

/** `visit` on every array and what it is replaced with, keys in sorted order; the rest is copied. */
function mapped(
  value: unknown,
  path: string,
  visit: (value: object, path: string) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replaced = visit(value, path);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((entry, i) => mapped(entry, `${path}.${i}`, visit));
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, entry]) => [
      key,
      mapped(entry, path === '' ? key : `${path}.${key}`, visit),
    ]),
  );
}

/** JSON whose every character is one byte. */
function asciiJson(value: unknown): string {
  return canonicalJson(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * @param tree plain data and arrays of float32, float64 and int32
 * Throws a RangeError where a number in an array is not finite, and beyond 2 GiB.
 */
export function writeArrayFile(tree: unknown): ArrayBuffer {
  const arrays: NumberArray[] = [];
  const header = mapped(tree, '', (value, path) => {
    for (const type of ['f32', 'f64', 'i32'] as const) {
      if (!isArrayOf(type, value)) continue;
      const at = nonFiniteAt(value);
      if (at >= 0) throw new RangeError(`${path} holds ${value[at]} at position ${at}.`);
      arrays.push(value);
      return { [type]: value.length };
    }
    return undefined;
  });
  const text = asciiJson(header);
  const payload = arrays.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0);
  const size = aligned(fixedBytes + text.length) + payload + crcBytes;
  if (text.length > maxHeaderBytes || size > maxFileBytes)
    throw new RangeError(`${size} bytes are more than one file can hold.`);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, version, true);
  view.setUint32(12, text.length, true);
  for (let i = 0; i < text.length; i++) bytes[fixedBytes + i] = text.charCodeAt(i);
  let offset = aligned(fixedBytes + text.length);
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += aligned(byteLength);
  }
  view.setUint32(offset, crc32(bytes.subarray(0, offset)), true);
  return bytes.buffer;
}

/** The text of the header, and where the arrays begin. */
function headerOf(bytes: Uint8Array): { readonly text: string; readonly end: number } {
  if (bytes.length < fixedBytes + crcBytes || magic.some((byte, i) => bytes[i] !== byte))
    throw new ArrayFileError('the file is of another kind');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const came = view.getUint32(8, true);
  if (came !== version)
    throw new ArrayFileError(
      `it has version ${came} and this page reads version ${version}: open it with the Marlbook that wrote it`,
    );
  const content = bytes.subarray(0, bytes.length - crcBytes);
  if (view.getUint32(content.length, true) !== crc32(content))
    throw new ArrayFileError('it is damaged or cut off: its checksum is another');
  const length = view.getUint32(12, true);
  if (length > maxHeaderBytes || aligned(fixedBytes + length) > content.length)
    throw new ArrayFileError(`its header is said to have ${length} bytes, more than there are`);
  let text = '';
  for (let start = 0; start < length; start += 4096) {
    const end = Math.min(length, start + 4096);
    text += String.fromCharCode(...bytes.subarray(fixedBytes + start, fixedBytes + end));
  }
  return { text, end: aligned(fixedBytes + length) };
}

function parseHeader(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArrayFileError('its header is no JSON');
  }
  const { copy, issues } = plainCopy(value);
  const [issue] = issues;
  if (issue !== undefined)
    throw new ArrayFileError(`its header is no plain data. ${issue.path}: ${issue.message}`);
  if (asciiJson(copy) !== text)
    throw new ArrayFileError('its header is not written as this page writes it');
  return copy;
}

/** What stands for an array in a header; undefined for everything else. */
function markerOf(value: object): readonly [ArrayType, number] | undefined {
  const entries = Object.entries(value);
  const [key, length] = entries[0] ?? [];
  if (entries.length !== 1 || typeof length !== 'number') return undefined;
  if (key !== 'f32' && key !== 'f64' && key !== 'i32') return undefined;
  if (!Number.isSafeInteger(length) || length < 0)
    throw new ArrayFileError(`its header gives an array the length ${length}`);
  return [key, length];
}

function treeIn(bytes: Uint8Array): unknown {
  const { text, end } = headerOf(bytes);
  const header = parseHeader(text);
  const payloadEnd = bytes.length - crcBytes;
  let offset = end;
  // Lengths are added up before anything is taken: a short header must not ask for much memory.
  mapped(header, '', (value) => {
    const marker = markerOf(value);
    if (marker === undefined) return undefined;
    offset += aligned(marker[1] * types[marker[0]].BYTES_PER_ELEMENT);
    return null;
  });
  if (offset !== payloadEnd)
    throw new ArrayFileError(
      `its header speaks of ${offset - end} bytes of numbers, and ${payloadEnd - end} came`,
    );
  requireZeros(bytes, fixedBytes + text.length, end);
  offset = end;
  return mapped(header, '', (value, path) => {
    const marker = markerOf(value);
    if (marker === undefined) return undefined;
    const [type, length] = marker;
    const numBytes = length * types[type].BYTES_PER_ELEMENT;
    const array = new types[type](bytes.slice(offset, offset + numBytes).buffer);
    requireFinite(array, path);
    requireZeros(bytes, offset + numBytes, offset + aligned(numBytes));
    offset += aligned(numBytes);
    return array;
  });
}

function requireZeros(bytes: Uint8Array, from: number, to: number): void {
  if (bytes.subarray(from, to).some((byte) => byte !== 0))
    throw new ArrayFileError('there is something between its parts, where zeros are expected');
}

/** Bytes from anywhere to fresh plain data and arrays that share nothing with them, or why not. Never throws. */
export function parseArrayFile(file: ArrayBuffer): ParsedArrayFile {
  try {
    return { ok: true, tree: treeIn(new Uint8Array(file)) };
  } catch (error) {
    if (error instanceof ArrayFileError) return { ok: false, reason: error.message };
    throw error;
  }
}
