import { foldIn, keyFromSeed, normal } from '../../rl/rng';

/** [length] standard normals, the same for the same seed. */
export function normals(seed: number, length: number): Float32Array<ArrayBuffer> {
  const key = foldIn(keyFromSeed(1), seed);
  return Float32Array.from({ length }, (_, i) => normal(key, i));
}
