import type { CohortSpec } from '../protocol/policyApi';
import { createStorage } from '../gpu/buffers';
import { createPlan, type PipelineCache, type Plan } from '../gpu/plan';
import {
  packLosses,
  policyLossCalls,
  tokenLogprobCalls,
  turnStats,
  type LossBuffers,
  type LossHyper,
  type LossShape,
} from '../kernels/policyLoss/policyLoss';
import { createPassBuffers, destroyPassBuffers, type PassBuffers } from './compiledBuffers';
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
  device: GPUDevice,
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

/** `arenas`: of the cohort; they outlive the stage. */
export function createStage(
  cache: PipelineCache,
  cohort: Cohort,
  arenas: { readonly weights: GPUBuffer; readonly gradients: GPUBuffer },
): Stage {
  const { device } = cache;
  let memory: StageMemory | null = null;
  const plans = new Map<string, Promise<Plan>>();
  const forgetPlans = (): void => {
    // A plan that is still being made, or was never made, has nothing to free by then.
    for (const plan of plans.values())
      plan.then(
        (made) => made.destroy(),
        () => undefined,
      );
    plans.clear();
  };
  const reserved = (): StageMemory => {
    if (memory === null) throw new Error('The stage has no room yet: call reserve() first.');
    return memory;
  };
  const callsOf = (shape: StackShape, what: StagePlan) => {
    const { pass, loss } = reserved();
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
  };
  return {
    reserve(shapes) {
      const needed = shapes.reduce(largerShape, memory?.capacity ?? shapes[0]!);
      if (memory !== null && JSON.stringify(needed) === JSON.stringify(memory.capacity)) return;
      if (memory !== null) destroyMemory(memory);
      memory = null;
      forgetPlans();
      const pass = createPassBuffers(device, passShape(cohort, needed), arenas);
      const loss = createLossBuffers(device, cohort, needed, pass);
      memory = { capacity: needed, pass, loss };
    },
    plan(shape, what) {
      const target =
        what.kind === 'forward' ? what.weights : what.kind === 'gradient' ? what.gradients : null;
      const key = `${JSON.stringify(shape)} ${what.kind} ${target?.label ?? ''}`;
      const known = plans.get(key) ?? createPlan(cache, callsOf(shape, what));
      plans.set(key, known);
      return known;
    },
    upload(turns, losses) {
      const { pass, loss } = reserved();
      const write = (
        buffer: GPUBuffer,
        values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
      ) => device.queue.writeBuffer(buffer, 0, values);
      write(pass.tokens, turns.tokens);
      write(pass.siteRows, turns.siteRows);
      write(pass.siteOfRow, turns.siteOfRow);
      write(loss.losses, packLosses(losses));
      write(loss.tokens, turns.lossTokens);
      write(loss.advantages, turns.advantages);
      write(loss.starts, turns.starts);
      write(loss.cells, turns.cells);
      write(loss.siteShares, turns.siteShares);
    },
    memory: reserved,
    destroy() {
      if (memory !== null) destroyMemory(memory);
      memory = null;
      forgetPlans();
    },
  };
}
