import type { BenchHost, ThreadCalls } from './benchHost';
import type { BenchPlan, ShapePlan } from './benchSizes';
import type { Opened, PeerName } from './benchThread';
import type { DeviceCounts } from './deviceCounts';
import { median, medianRatio } from './median';
import { stepFlops, type BenchShape } from './trainingTask';

/** One training step in every library, in rounds. */

export interface PeerResult {
  readonly peer: PeerName;
  /** From nothing to the first loss. Unit: ms. */
  readonly firstMs: number;
  /** [3] of the first three steps; of the first replica. */
  readonly losses: readonly number[];
  /** [rounds] Unit: ms, each a mean over the round's steps. */
  readonly rounds: readonly number[];
  readonly stepsPerRound: number;
  /** Median of the rounds. Unit: ms. */
  readonly stepMs: number;
  /** Operations of the step over `stepMs`. Unit: 10⁹ floating-point operations a second. */
  readonly gigaflops: number;
  /** Median over the rounds. Unit: ms. */
  readonly issueMs: number;
  /** Of one step after warm-up; null where it is not WebGPU. */
  readonly counts: DeviceCounts | null;
  /** GPU memory after warm-up. Unit: bytes. */
  readonly bytes: number | null;
}

export interface ShapeResult {
  readonly id: ShapePlan['id'];
  readonly shape: BenchShape;
  readonly numParameters: number;
  /** Of one step. */
  readonly flops: number;
  /** Between any two libraries over three steps. Unit: nats per token. */
  readonly largestLossDifference: number;
  readonly peers: readonly PeerResult[];
  /** Median of the rounds' step time of `compiled` over the other's. */
  readonly ratios: Readonly<Partial<Record<PeerName, number>>>;
}

/** Libraries that sum in different orders stay far below it in three steps; another model or optimizer does not. Unit: nats per token. */
const lossTolerance = 1e-3;

interface Entry {
  readonly peer: PeerName;
  readonly thread: ThreadCalls;
  readonly opened: Opened;
  readonly stepsPerRound: number;
  readonly issueSteps: number;
  readonly rounds: number[];
  readonly issues: number[];
}

const isWebgpu = (peer: PeerName): boolean => !peer.endsWith('Wasm');

/** Largest difference of a step's losses over peers and replicas. Throws an Error with the numbers beyond the tolerance; NaN is beyond. */
export function requireEqualLosses(
  peers: readonly { peer: string; losses: readonly (readonly number[])[] }[],
): number {
  const numSteps = Math.max(...peers.map(({ losses }) => losses.length));
  const differences = Array.from({ length: numSteps }, (_, step) => {
    const values = peers.flatMap(({ losses }) => losses[step] ?? [NaN]);
    return Math.max(...values) - Math.min(...values);
  });
  const largest = Math.max(...differences);
  if (largest <= lossTolerance) return largest;
  const lists = peers.map(
    ({ peer, losses }) => `${peer} ${losses.map(([first = NaN]) => first.toFixed(5)).join(' ')}`,
  );
  throw new Error(
    `The libraries do not train the same model, so nothing is timed. Losses of three steps: ${lists.join('; ')}.`,
  );
}

async function openPeer(
  host: BenchHost,
  plan: BenchPlan,
  thread: ThreadCalls,
  [peer, shape]: readonly [PeerName, BenchShape],
): Promise<Entry> {
  const opened = await thread.open({ peer, shape, numReplicas: 1 });
  const losses = opened.losses.map(([loss = NaN]) => loss.toFixed(5)).join(' ');
  await host.note(`  ${peer}: first step ${opened.firstMs.toFixed(0)} ms, losses ${losses}`);
  const stepsPerRound = Math.max(1, Math.min(50, Math.ceil(plan.roundMs / opened.estimateMs)));
  const issueSteps = Math.max(1, Math.min(10, stepsPerRound));
  return { peer, thread, opened, stepsPerRound, issueSteps, rounds: [], issues: [] };
}

async function resultOf(entry: Entry, flops: number): Promise<PeerResult> {
  const { peer, thread, opened, stepsPerRound, rounds, issues } = entry;
  const counted = isWebgpu(peer) ? await thread.count(1) : null;
  return {
    peer,
    firstMs: opened.firstMs,
    losses: opened.losses.map(([loss = NaN]) => loss),
    rounds,
    stepsPerRound,
    stepMs: median(rounds),
    gigaflops: flops / median(rounds) / 1e6,
    issueMs: median(issues),
    counts: counted?.steps ?? null,
    bytes: counted?.bytes ?? null,
  };
}

/** Opens all peers, requires equal losses, then lets them take turns. Throws an Error where the losses differ. */
export async function benchShape(
  host: BenchHost,
  plan: BenchPlan,
  { id, shape, peers, numRounds }: ShapePlan,
): Promise<ShapeResult> {
  const present = peers.filter((peer) => host.peers.includes(peer));
  return host.withThreads(present.length, async (threads) => {
    const entries: Entry[] = [];
    for (const [index, peer] of present.entries())
      entries.push(await openPeer(host, plan, threads[index]!, [peer, shape]));
    const largestLossDifference = requireEqualLosses(
      entries.map(({ peer, opened }) => ({ peer, losses: opened.losses })),
    );
    for (let round = 0; round < numRounds; round++) {
      for (const { thread, stepsPerRound, issueSteps, rounds, issues } of entries) {
        issues.push(await thread.issue(issueSteps));
        rounds.push(await thread.measure(stepsPerRound));
      }
      const last = entries.map(({ peer, rounds }) => `${peer} ${rounds.at(-1)!.toFixed(1)}`);
      await host.note(`  round ${round + 1}/${numRounds}, ms a step: ${last.join(', ')}`);
    }
    const numParameters = entries[0]?.opened.numParameters ?? 0;
    const flops = stepFlops(shape, numParameters);
    const results: PeerResult[] = [];
    for (const entry of entries) results.push(await resultOf(entry, flops));
    const own = entries.find(({ peer }) => peer === 'compiled');
    const others = entries.filter(({ peer }) => peer !== 'compiled');
    return {
      id,
      shape,
      numParameters,
      flops,
      largestLossDifference,
      peers: results,
      ratios: Object.fromEntries(
        others.map(({ peer, rounds }) => [peer, medianRatio(own?.rounds ?? [], rounds)]),
      ),
    };
  });
}
