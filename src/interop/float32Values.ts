import type { SafeTensor } from './safetensors';

/**
 * The numbers of a tensor as float32, without rounding: F32 as it stands, and F16 and BF16, of which every value is one of float32's.
 * Null for other dtypes. A NaN stays a NaN.
 */
export function float32Values({ dtype, bytes }: SafeTensor): Float32Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A copy, which begins where float32 may stand; `slice` of a Buffer of Node would be none.
  if (dtype === 'F32') return new Float32Array(new Uint8Array(bytes).buffer);
  if (dtype === 'BF16') return brainFloats(view);
  if (dtype !== 'F16') return null;
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) =>
    halfFloat(view.getUint16(2 * i, true)),
  );
}

/** binary16 of IEEE 754-2008: 1 sign, 5 exponent (bias 15) and 10 fraction bits. */
function halfFloat(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** bfloat16 is the upper half of a float32. */
function brainFloats(view: DataView): Float32Array {
  const words = Uint32Array.from(
    { length: view.byteLength / 2 },
    (_, i) => view.getUint16(2 * i, true) << 16,
  );
  return new Float32Array(words.buffer);
}
