import type { BenchHost } from './benchHost';
import { benchReplicas, type ReplicasResult } from './benchReplicas';
import { benchShape, type ShapeResult } from './benchShape';
import { benchPlans, type BenchPlan, type BenchSize } from './benchSizes';
import { targetRows, type TargetRow } from './benchTargets';
import { median } from './median';
import type { MatmulRate } from './matmulRates';
import type { SamplerName } from './sampling';

/** The whole bench in its order: roofline, training steps, replicas, sampling, roofline, targets. */

interface SamplingResult {
  readonly sampler: SamplerName;
  /** Making it, compiling and one batch of turns. Unit: ms. */
  readonly firstMs: number;
  readonly tokensPerSecond: number;
  readonly numTokens: number;
}

export interface BenchMeasurements {
  readonly size: BenchSize;
  /** Every shape at the start of the run, and again at its end. */
  readonly matmuls: readonly MatmulRate[];
  /**
   * What this adapter can do at least: the best of `matmuls`, or of any library's step on WebGPU where that is faster.
   * Unit: 10⁹ floating-point operations a second.
   */
  readonly rooflineGigaflops: number;
  readonly shapes: readonly ShapeResult[];
  readonly replicas: ReplicasResult;
  readonly sampling: readonly SamplingResult[];
  readonly targets: readonly TargetRow[];
}

async function benchSampling(host: BenchHost, plan: BenchPlan): Promise<SamplingResult[]> {
  const { sampling } = plan;
  if (sampling === null) return [];
  const { shape, numRounds } = sampling;
  return host.withThreads(host.samplers.length, async (threads) => {
    const entries = [];
    for (const [index, sampler] of host.samplers.entries()) {
      const thread = threads[index]!;
      const { firstMs } = await thread.openSampler(sampler, { shape });
      await host.note(`  ${sampler}: first batch ${firstMs.toFixed(0)} ms`);
      entries.push({ sampler, thread, firstMs, rounds: [] as number[] });
    }
    for (let round = 0; round < numRounds; round++)
      for (const { thread, rounds } of entries) rounds.push(await thread.sample());
    const numTokens = shape.numSequences * shape.length;
    return entries.map(({ sampler, firstMs, rounds }) => ({
      sampler,
      firstMs,
      numTokens,
      tokensPerSecond: (1000 * numTokens) / median(rounds),
    }));
  });
}

const bestRate = (rates: readonly { gigaflops: number }[]): number =>
  Math.max(...rates.map(({ gigaflops }) => gigaflops));

async function benchMatmuls(host: BenchHost, plan: BenchPlan): Promise<MatmulRate[]> {
  await host.note('Matrix products …');
  const rates = await host.withThreads(1, ([thread]) => thread!.matmulRates(plan.matmulMs));
  await host.note(`  best ${bestRate(rates).toPrecision(3)} GFLOP/s`);
  return rates;
}

/** Matrix products come first and once more last: what the machine did meanwhile should not lower the roofline. */
export async function runBench(host: BenchHost, size: BenchSize): Promise<BenchMeasurements> {
  const plan = benchPlans[size];
  const firstMatmuls = await benchMatmuls(host, plan);
  const shapes: ShapeResult[] = [];
  for (const shapePlan of plan.shapes) {
    const { numLayers, hiddenSize, length, numSequences } = shapePlan.shape;
    await host.note(`Training step, L${numLayers} D${hiddenSize} T${length} B${numSequences} …`);
    shapes.push(await benchShape(host, plan, shapePlan));
  }
  await host.note(`Cohorts of ${plan.replicas.join(', ')} replicas …`);
  const replicas = await benchReplicas(host, plan);
  await host.note('Sampling …');
  const sampling = await benchSampling(host, plan);
  const matmuls = [...firstMatmuls, ...(await benchMatmuls(host, plan))];
  const stepRates = shapes.flatMap(({ peers }) => peers.filter(({ counts }) => counts !== null));
  const rooflineGigaflops = bestRate([...matmuls, ...stepRates]);
  const measured = { size, matmuls, rooflineGigaflops, shapes, replicas, sampling };
  return { ...measured, targets: targetRows(measured) };
}
