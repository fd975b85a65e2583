import type { ArchitectureSpec } from '../config/experimentSpec';
import { transposed, type Matrix } from '../kernels/matmul/matmul';
import { parameterSpecs, sizeOf } from './parameters';

/** Where each parameter stands in an arena [R, P]: all of a replica's, one after another, in the order of `parameterSpecs`. */

/** Of one layer. Gains are [1, width]. */
export interface LayerViews {
  readonly attentionGain: Matrix;
  readonly queries: Matrix;
  readonly keys: Matrix;
  readonly values: Matrix;
  readonly output: Matrix;
  readonly mlpGain: Matrix;
  readonly gate: Matrix;
  readonly up: Matrix;
  readonly down: Matrix;
}

export interface ParameterViews {
  /** [vocabulary, width] */
  readonly embedding: Matrix;
  readonly layers: readonly LayerViews[];
  readonly finalGain: Matrix;
  /** [width, vocabulary]; the embedding's transpose where they are tied. */
  readonly head: Matrix;
}

/** P: numbers of one replica. */
export function numParametersOf(architecture: ArchitectureSpec, vocabularySize: number): number {
  return parameterSpecs(architecture, vocabularySize).reduce(
    (sum, { shape }) => sum + sizeOf(shape),
    0,
  );
}

export function parameterViews(
  architecture: ArchitectureSpec,
  vocabularySize: number,
  buffer: GPUBuffer,
): ParameterViews {
  const replicaStride = numParametersOf(architecture, vocabularySize);
  let offset = 0;
  const views = parameterSpecs(architecture, vocabularySize).map(({ shape }): Matrix => {
    const [rows, columns] = shape.length === 1 ? [1, shape[0]!] : [shape[0]!, shape[1]!];
    const view = { buffer, rows, columns, replicaStride, offset };
    offset += sizeOf(shape);
    return view;
  });
  let next = 0;
  const take = (): Matrix => views[next++]!;
  const table = take();
  const layers = Array.from({ length: architecture.numLayers }, () => ({
    attentionGain: take(),
    queries: take(),
    keys: take(),
    values: take(),
    output: take(),
    mlpGain: take(),
    gate: take(),
    up: take(),
    down: take(),
  }));
  const finalGain = take();
  const head = architecture.tieEmbeddings ? transposed(table) : take();
  return { embedding: table, layers, finalGain, head };
}
