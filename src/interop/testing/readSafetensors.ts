/**
 * A second reader of safetensors, written from the format's README alone and sharing no code with ours: trusting, float32 only. What
 * our writer writes must read the same here.
 */
export function readSafetensors(
  file: Uint8Array,
): Map<string, { readonly shape: readonly number[]; readonly values: readonly number[] }> {
  const buffer = Buffer.from(file);
  const headerLength = Number(buffer.readBigUInt64LE(0));
  const header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }> =
    JSON.parse(buffer.toString('utf8', 8, 8 + headerLength));
  const tensors = new Map<string, { shape: number[]; values: number[] }>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    if (entry.dtype !== 'F32') throw new Error(`${name} is ${entry.dtype}, this reader knows F32.`);
    const values: number[] = [];
    for (let at = entry.data_offsets[0]; at < entry.data_offsets[1]; at += 4)
      values.push(buffer.readFloatLE(8 + headerLength + at));
    tensors.set(name, { shape: entry.shape, values });
  }
  return tensors;
}
