import { strToU8 } from 'fflate';
import { reservedKeys } from '../config/plainData';
import { safetensorsAlignment } from './safetensors';

export interface NamedValues {
  readonly name: string;
  readonly shape: readonly number[];
  /** Product of `shape` numbers, row-major. */
  readonly values: Float32Array;
}

/**
 * A safetensors file of float32 tensors, in the order of their names; equal input gives equal bytes. Numbers keep their bits.
 * Throws RangeError for a shape that does not fit its numbers, and for a name that is taken or reserved.
 * @param metadata texts by name; a file for PyTorch says `format: 'pt'`, without which transformers refuses it
 */
export function writeSafetensors(
  tensors: readonly NamedValues[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const sorted = tensors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const header: [string, unknown][] = [['__metadata__', sortedEntries(metadata)]];
  let offset = 0;
  for (const { name, shape, values } of sorted) {
    assertFits({ name, shape, values }, header);
    const end = offset + values.byteLength;
    header.push([name, { dtype: 'F32', shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  const json = strToU8(JSON.stringify(Object.fromEntries(header)));
  const headerEnd = aligned(safetensorsAlignment + json.length);
  const file = new Uint8Array(headerEnd + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerEnd - safetensorsAlignment), true);
  file.set(json, safetensorsAlignment);
  // Padding of the header is spaces, which JSON ignores.
  file.fill(' '.charCodeAt(0), safetensorsAlignment + json.length, headerEnd);
  let position = headerEnd;
  for (const { values } of sorted) {
    // Bytes, not numbers: a NaN keeps its payload. Every platform with typed arrays that browsers run on is little-endian.
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), position);
    position += values.byteLength;
  }
  return file;
}

function sortedEntries(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function aligned(length: number): number {
  return Math.ceil(length / safetensorsAlignment) * safetensorsAlignment;
}

function assertFits(
  { name, shape, values }: NamedValues,
  before: readonly (readonly [string, unknown])[],
): void {
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== values.length)
    throw new RangeError(
      `${name} has shape [${shape.join(', ')}] and ${values.length} numbers, expected ${size}: pass the numbers of that shape.`,
    );
  if (reservedKeys.has(name) || before.some(([taken]) => taken === name))
    throw new RangeError(`The tensor name ${name} is taken: give every tensor its own name.`);
}
