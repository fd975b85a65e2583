import {
  init,
  defaultDevice,
  jit,
  nn,
  numpy as np,
  valueAndGrad,
  type Array as JaxArray,
} from '@jax-js/jax';
import type { Training } from './training';
import { adam, type BenchShape, type TrainingTask } from './trainingTask';

/**
 * The step in jax-js, all of it in one `jit`: the model of `src/agents/tfjsModel` and Adam over its list of parameters. jax-js counts
 * references: an operation consumes its operands, `.ref` keeps one for later.
 */

const normEpsilon = 1e-6;

/** Constants of a shape. */
interface Tables {
  /** [T, headSize / 2] */
  readonly cos: JaxArray;
  readonly sin: JaxArray;
  /** [T, T] 0, and −1e9 in a token's future. */
  readonly mask: JaxArray;
}

function createTables({ hiddenSize, numHeads, length }: BenchShape, theta: number): Tables {
  const half = hiddenSize / numHeads / 2;
  const angles = Float32Array.from(
    { length: length * half },
    (_, index) => Math.floor(index / half) * theta ** (-(index % half) / half),
  );
  const mask = Float32Array.from({ length: length * length }, (_, index) =>
    index % length > Math.floor(index / length) ? -1e9 : 0,
  );
  return {
    cos: np.array(angles.map(Math.cos)).reshape([length, half]),
    sin: np.array(angles.map(Math.sin)).reshape([length, half]),
    mask: np.array(mask).reshape([length, length]),
  };
}

/** Consumes both. */
function rmsNorm(x: JaxArray, gain: JaxArray): JaxArray {
  const inverse = np.reciprocal(
    np.sqrt(np.square(x.ref).mean(-1, { keepdims: true }).add(normEpsilon)),
  );
  return x.mul(inverse).mul(gain);
}

/** [B, H, T, headSize] rotated by position; consumes x. */
function rotate(x: JaxArray, { cos, sin }: Tables): JaxArray {
  const half = x.shape[3]! / 2;
  const first = x.ref.slice([], [], [], [0, half]);
  const second = x.slice([], [], [], [half, 2 * half]);
  return np.concatenate(
    [
      first.ref.mul(cos.ref).sub(second.ref.mul(sin.ref)),
      second.mul(cos.ref).add(first.mul(sin.ref)),
    ],
    -1,
  );
}

/** [B, T, D] → [B, H, T, headSize] */
function byHead(x: JaxArray, { numSequences, length, numHeads, hiddenSize }: BenchShape): JaxArray {
  return np.transpose(
    x.reshape([numSequences, length, numHeads, hiddenSize / numHeads]),
    [0, 2, 1, 3],
  );
}

/** [B, T, D] in and out; consumes x, not the weights. */
function attention(
  x: JaxArray,
  [wq, wk, wv, wo]: readonly [JaxArray, JaxArray, JaxArray, JaxArray],
  shape: BenchShape,
  tables: Tables,
): JaxArray {
  const { numSequences, length, numHeads, hiddenSize } = shape;
  const q = rotate(byHead(np.matmul(x.ref, wq), shape), tables);
  const k = rotate(byHead(np.matmul(x.ref, wk), shape), tables);
  const v = byHead(np.matmul(x, wv), shape);
  const scores = np
    .matmul(q, np.transpose(k, [0, 1, 3, 2]))
    .mul(1 / Math.sqrt(hiddenSize / numHeads))
    .add(tables.mask.ref);
  const mixed = np.transpose(np.matmul(nn.softmax(scores, -1), v), [0, 2, 1, 3]);
  return np.matmul(mixed.reshape([numSequences, length, hiddenSize]), wo);
}

/** Next-token loss [] in nats per token; consumes everything but the tables. Tokens and targets one-hot, [B, T, V]. */
function lossOf(
  weights: readonly JaxArray[],
  [tokens, targets]: readonly [JaxArray, JaxArray],
  shape: BenchShape,
  tables: Tables,
): JaxArray {
  let next = 0;
  const take = (): JaxArray => weights[next++]!;
  let stream = np.matmul(tokens, take());
  for (let layer = 0; layer < shape.numLayers; layer++) {
    const normed = rmsNorm(stream.ref, take());
    const mixed = attention(normed, [take(), take(), take(), take()], shape, tables);
    stream = stream.add(mixed);
    const inner = rmsNorm(stream.ref, take());
    const gate = np.matmul(inner.ref, take());
    const activated = nn.silu(gate).mul(np.matmul(inner, take()));
    stream = stream.add(np.matmul(activated, take()));
  }
  const logits = np.matmul(rmsNorm(stream, take()), take());
  const numTokens = shape.numSequences * shape.length;
  return nn
    .logSoftmax(logits, -1)
    .mul(targets)
    .sum()
    .mul(-1 / numTokens);
}

/** Weights and moments, one array a parameter. */
type Parameters = JaxArray[];

/** @param corrections [2] 1 − βᵗ of both moments */
function adamOf(
  weight: JaxArray,
  moments: readonly [JaxArray, JaxArray],
  gradient: JaxArray,
  corrections: JaxArray,
): [JaxArray, JaxArray, JaxArray] {
  const { beta1, beta2, learningRate, epsilon } = adam;
  const first = moments[0].mul(beta1).add(gradient.ref.mul(1 - beta1));
  const second = moments[1].mul(beta2).add(np.square(gradient).mul(1 - beta2));
  const correction1 = corrections.ref.slice(0);
  const correction2 = corrections.slice(1);
  const denominator = np.sqrt(second.ref.div(correction2)).add(epsilon);
  const direction = first.ref.div(correction1).div(denominator);
  return [weight.sub(direction.mul(learningRate)), first, second];
}

function createStep(shape: BenchShape, tables: Tables) {
  const gradientOf = valueAndGrad((weights: Parameters, tokens: JaxArray, targets: JaxArray) =>
    lossOf(weights, [tokens, targets], shape, tables),
  );
  return jit(
    (
      [weights, firsts, seconds]: [Parameters, Parameters, Parameters],
      tokens: JaxArray,
      targets: JaxArray,
      corrections: JaxArray,
    ): [JaxArray, Parameters, Parameters, Parameters] => {
      const [loss, gradients] = gradientOf(
        weights.map((weight) => weight.ref),
        tokens,
        targets,
      );
      const stepped = weights.map((weight, i) =>
        adamOf(weight, [firsts[i]!, seconds[i]!], gradients[i]!, corrections.ref),
      );
      corrections.dispose();
      const column = (index: 0 | 1 | 2): Parameters => stepped.map((row) => row[index]);
      return [loss, column(0), column(1), column(2)];
    },
  );
}

function oneHot(ids: Int32Array, { numSequences, length, vocabularySize }: BenchShape): JaxArray {
  const values = new Float32Array(ids.length * vocabularySize);
  for (const [row, id] of ids.entries()) values[row * vocabularySize + id] = 1;
  return np.array(values).reshape([numSequences, length, vocabularySize]);
}

/** @throws Error when jax-js finds no such device here */
export async function createJaxTraining(
  task: TrainingTask,
  backend: 'webgpu' | 'wasm',
): Promise<Training> {
  const { shape, specs } = task;
  const devices = await init(backend);
  if (!devices.includes(backend)) throw new Error(`jax-js finds no device ${backend} here.`);
  defaultDevice(backend);
  const tables = createTables(shape, task.architecture.ropeTheta);
  const step = createStep(shape, tables);
  const tokens = oneHot(task.tokens, shape);
  const targets = oneHot(task.targets, shape);
  const zeros = (): Parameters => specs.map((spec) => np.zeros([...spec.shape]));
  let parameters: [Parameters, Parameters, Parameters] = [
    task.weights.map((values, i) =>
      np.array(Float32Array.from(values)).reshape([...specs[i]!.shape]),
    ),
    zeros(),
    zeros(),
  ];
  let count = 0;
  let loss: JaxArray | null = null;
  const lastLoss = (): JaxArray => {
    if (loss === null) throw new Error('No step was taken yet.');
    return loss;
  };
  return {
    step() {
      count += 1;
      const corrections = Float32Array.of(1 - adam.beta1 ** count, 1 - adam.beta2 ** count);
      loss?.dispose();
      const [value, ...next] = step(parameters, tokens.ref, targets.ref, np.array(corrections));
      loss = value;
      parameters = next;
    },
    // Deferred steps pile up, and each later one becomes slower: jax-js advises to wait regularly.
    async start() {
      await lastLoss().blockUntilReady();
    },
    async lastLosses() {
      const values = await lastLoss().ref.data();
      return [...values].map(Number);
    },
  };
}
