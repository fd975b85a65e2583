import { createStorage, readFloats, uploadStorage } from '../../src/gpu/buffers';
import { createPipelineCache, createPlan, submitPlans } from '../../src/gpu/plan';
import { matmul, transposed, type Matrix } from '../../src/kernels/matmul/matmul';

/** The roofline: how fast this adapter multiplies matrices with the project's kernel. */

type Way = 'NN' | 'NT' | 'TN';

export interface MatmulRate {
  /** [m, k] · [k, n]; NT and TN read the second or first one transposed. */
  readonly way: Way;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** 2·m·k·n over the time of one. Unit: 10⁹ floating-point operations a second. */
  readonly gigaflops: number;
}

/** Smallest first: a shape is tried while the best rate so far lets it end in time. The long narrow ones are those of a training step. */
const sizes: readonly (readonly [number, number, number])[] = [
  [128, 128, 128],
  [1024, 64, 176],
  [64, 1024, 176],
  [256, 256, 256],
  [2048, 128, 352],
  [512, 512, 512],
  [1024, 1024, 1024],
  [2048, 2048, 2048],
  [4096, 4096, 4096],
];
const ways: readonly Way[] = ['NN', 'NT', 'TN'];

function stored(device: GPUDevice, rows: number, columns: number, isTransposed: boolean): Matrix {
  const values = new Float32Array(rows * columns).fill(0.5);
  const buffer = uploadStorage(device, values, 'operand');
  const replicaStride = rows * columns;
  const [height, width] = isTransposed ? [columns, rows] : [rows, columns];
  const matrix = { buffer, rows: height, columns: width, replicaStride, offset: 0 };
  return isTransposed ? transposed(matrix) : matrix;
}

/** Products in one submit until about `budgetMs`, then one number read back. */
async function rateOf(
  device: GPUDevice,
  [m, k, n]: readonly [number, number, number],
  way: Way,
  budgetMs: number,
): Promise<MatmulRate> {
  const a = stored(device, m, k, way === 'TN');
  const b = stored(device, k, n, way === 'NT');
  const buffer = createStorage(device, m * n, 'product');
  const unused = createStorage(device, 4, 'unused');
  const out = { buffer, rows: m, columns: n, replicaStride: m * n, offset: 0 };
  const call = matmul(a, b, out, { numReplicas: 1, unused });
  const plan = await createPlan(createPipelineCache(device), [call]);
  const timeMs = async (count: number): Promise<number> => {
    const beginMs = performance.now();
    submitPlans(
      device,
      Array.from({ length: count }, () => plan),
    );
    await readFloats(device, unused);
    return performance.now() - beginMs;
  };
  await timeMs(1);
  const onceMs = await timeMs(1);
  const count = Math.max(1, Math.min(500, Math.floor(budgetMs / Math.max(onceMs, 0.1))));
  const bestMs = Math.min(await timeMs(count), await timeMs(count)) / count;
  for (const each of [a.buffer, b.buffer, buffer, unused]) each.destroy();
  return { way, m, k, n, gigaflops: (2 * m * k * n) / bestMs / 1e6 };
}

/** Rates of every shape and way that ends within about four times `budgetMs`; the best is the roofline. */
export async function matmulRates(device: GPUDevice, budgetMs: number): Promise<MatmulRate[]> {
  const rates: MatmulRate[] = [];
  for (const size of sizes) {
    const [m, k, n] = size;
    const best = Math.max(0, ...rates.map(({ gigaflops }) => gigaflops));
    const expectedMs = best === 0 ? 0 : (2 * m * k * n) / best / 1e6;
    if (expectedMs > budgetMs) break;
    for (const way of ways) rates.push(await rateOf(device, size, way, budgetMs));
  }
  return rates;
}
