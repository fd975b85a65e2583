import type { CohortSpec } from '../protocol/policyApi';
import { plannedBuffers, requireBuffers, type BufferMaker } from '../gpu/bufferBudget';
import { createStorage } from '../gpu/buffers';
import type { KernelCall } from '../gpu/kernelCall';
import type { PipelineCache, Plan } from '../gpu/plan';
import { createPlanStore } from '../gpu/planStore';
import {
  packLosses,
  policyLossCalls,
  tokenLogprobCalls,
  turnStats,
  type LossBuffers,
  type LossHyper,
  type LossShape,
} from '../kernels/policyLoss/policyLoss';
import {
  createPassBuffers,
  destroyPassBuffers,
  type Arenas,
  type PassBuffers,
} from './compiledBuffers';
import { backwardCalls, forwardCalls, type PassShape } from './compiledPass';
import type { StackedTurns, StackShape } from './stackTurns';

/**
 * Where the passes of a cohort run: one set of buffers as large as the largest shape so far, and plans on them by shape. The same
 * memory serves every slice, so slices go through it one after another.
 */

/** What a slice's plans do. */
type StagePlan =
  /** Tokens → logits under the present weights, or the reference. */
  | { readonly kind: 'forward'; readonly weights: GPUBuffer }
  /** Logits → statistics, no gradient. */
  | { readonly kind: 'statistics' }
  /** Logits → log-probabilities of the tokens in `slopes`. */
  | { readonly kind: 'logprobs' }
  /** Logits → statistics, and the gradient of the loss in the arena. */
  | { readonly kind: 'gradient'; readonly gradients: GPUBuffer };

type Cohort = Pick<CohortSpec, 'architecture' | 'vocabularySize'> & {
  readonly numReplicas: number;
};

interface StageMemory {
  readonly capacity: StackShape;
  readonly pass: PassBuffers;
  readonly loss: LossBuffers;
}

export interface Stage {
  /** Makes room for all the shapes. Plans made before are useless where it had to grow. Throws a RangeError over the device's limits. */
  reserve(shapes: readonly StackShape[]): void;
  /** The plan for a shape that room was made for. */
  plan(shape: StackShape, what: StagePlan): Promise<Plan>;
  /** Hands a slice over; it is there before what is submitted next. `losses`: [R] */
  upload(turns: StackedTurns, losses: readonly LossHyper[]): void;
  /** Of the reserved room. */
  readonly memory: () => StageMemory;
  destroy(): void;
}

/** Plans of this many shapes and purposes are kept, more than one update needs: the least recently used goes first. */
const maxPlans = 512;

function largerShape(a: StackShape, b: StackShape): StackShape {
  return {
    numSequences: Math.max(a.numSequences, b.numSequences),
    length: Math.max(a.length, b.length),
    numSites: Math.max(a.numSites, b.numSites),
    numTurns: Math.max(a.numTurns, b.numTurns),
    actionWidth: Math.max(a.actionWidth, b.actionWidth),
  };
}

function passShape(cohort: Cohort, { numSequences, length, numSites }: StackShape): PassShape {
  const { architecture, vocabularySize, numReplicas } = cohort;
  return { architecture, vocabularySize, numReplicas, numSequences, length, numSites };
}

function lossShape(cohort: Cohort, { numTurns, actionWidth, numSites }: StackShape): LossShape {
  const { vocabularySize, numReplicas } = cohort;
  return { numReplicas, numTurns, maxTokens: actionWidth, numSites, vocabularySize };
}

function createLossBuffers(
  device: BufferMaker,
  { numReplicas }: Cohort,
  { numTurns, actionWidth, numSites }: StackShape,
  { logits, logitGradient }: PassBuffers,
): LossBuffers {
  const empty = (label: string, perReplica: number): GPUBuffer =>
    createStorage(device, numReplicas * perReplica, label);
  const numCells = numTurns * actionWidth;
  return {
    losses: empty('losses', 10),
    tokens: empty('loss tokens', 7 * numCells),
    advantages: empty('advantages', numTurns),
    logits,
    starts: empty('site starts', numSites + 1),
    cells: empty('site cells', 2 * numCells),
    siteShares: empty('site shares', numSites),
    sites: empty('sites', 2 * numSites),
    slopes: empty('slopes', numCells),
    stats: empty('turn statistics', turnStats.length * numTurns),
    summary: empty('loss summary', turnStats.length + 1),
    gradient: logitGradient,
  };
}

function destroyMemory({ pass, loss }: StageMemory): void {
  const { logits: _logits, gradient: _gradient, ...own } = loss;
  for (const buffer of Object.values(own)) buffer.destroy();
  destroyPassBuffers(pass);
}

function callsOf(
  cohort: Cohort,
  { pass, loss }: StageMemory,
  shape: StackShape,
  what: StagePlan,
): KernelCall[] {
  const [passOf, lossOf] = [passShape(cohort, shape), lossShape(cohort, shape)];
  switch (what.kind) {
    case 'forward':
      return forwardCalls(passOf, { ...pass, weights: what.weights });
    case 'statistics':
      return policyLossCalls(lossOf, loss).slice(0, 3);
    case 'logprobs':
      return tokenLogprobCalls(lossOf, loss);
    case 'gradient':
      return [
        ...policyLossCalls(lossOf, loss),
        ...backwardCalls(passOf, { ...pass, gradients: what.gradients }),
      ];
  }
}

/** Labels tell arenas apart. */
function keyOf(shape: StackShape, what: StagePlan): string {
  const target =
    what.kind === 'forward' ? what.weights : what.kind === 'gradient' ? what.gradients : null;
  return `${JSON.stringify(shape)} ${what.kind} ${target?.label ?? ''}`;
}

function uploadSlice(
  { queue }: GPUDevice,
  { pass, loss }: StageMemory,
  turns: StackedTurns,
  losses: readonly LossHyper[],
): void {
  queue.writeBuffer(pass.tokens, 0, turns.tokens);
  queue.writeBuffer(pass.siteRows, 0, turns.siteRows);
  queue.writeBuffer(pass.siteOfRow, 0, turns.siteOfRow);
  queue.writeBuffer(loss.losses, 0, packLosses(losses));
  queue.writeBuffer(loss.tokens, 0, turns.lossTokens);
  queue.writeBuffer(loss.advantages, 0, turns.advantages);
  queue.writeBuffer(loss.starts, 0, turns.starts);
  queue.writeBuffer(loss.cells, 0, turns.cells);
  queue.writeBuffer(loss.siteShares, 0, turns.siteShares);
}

/** `arenas`: of the cohort; they outlive the stage. */
export function createStage(cache: PipelineCache, cohort: Cohort, arenas: Arenas): Stage {
  const { device } = cache;
  let memory: StageMemory | null = null;
  const plans = createPlanStore(cache, maxPlans);
  const reserved = (): StageMemory => {
    if (memory === null) throw new Error('The stage has no room yet: call reserve() first.');
    return memory;
  };
  const clear = (): void => {
    plans.clear();
    if (memory !== null) destroyMemory(memory);
    memory = null;
  };
  return {
    reserve(shapes) {
      const needed = shapes.reduce(largerShape, memory?.capacity ?? shapes[0]!);
      if (memory !== null && JSON.stringify(needed) === JSON.stringify(memory.capacity)) return;
      const allocate = (maker: BufferMaker) => {
        const pass = createPassBuffers(maker, passShape(cohort, needed), arenas);
        return { pass, loss: createLossBuffers(maker, cohort, needed, pass) };
      };
      requireBuffers(device.limits, plannedBuffers(allocate), cohort.numReplicas);
      clear();
      memory = { capacity: needed, ...allocate(device) };
    },
    plan: (shape, what) =>
      plans.get(keyOf(shape, what), () => callsOf(cohort, reserved(), shape, what)),
    upload: (turns, losses) => uploadSlice(device, reserved(), turns, losses),
    memory: reserved,
    destroy: clear,
  };
}
