import type { PeerResult, ShapeResult } from './benchShape';
import type { PeerName } from './benchThread';
import type { BenchMeasurements } from './runBench';

/** What the engine is meant to reach, beside what was measured. */

export interface TargetRow {
  readonly figure: string;
  readonly target: string;
  /** In words, with units; what is missing where nothing was measured. */
  readonly measured: string;
  /** null = not measured in this run. */
  readonly isMet: boolean | null;
}

type Measured = Omit<BenchMeasurements, 'targets'>;

function row(figure: string, target: string, value: TargetValue): TargetRow {
  return value === null
    ? { figure, target, measured: 'not measured in this run', isMet: null }
    : { figure, target, ...value };
}

type TargetValue = { readonly measured: string; readonly isMet: boolean } | null;

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const times = (ratio: number): string => `${ratio.toPrecision(3)} ×`;

function ownOf(shape: ShapeResult | undefined): PeerResult | undefined {
  return shape?.peers.find(({ peer }) => peer === 'compiled');
}

function ratioValue(shape: ShapeResult | undefined, peer: PeerName, most: number): TargetValue {
  const ratio = shape?.ratios[peer];
  return ratio === undefined ? null : { measured: times(ratio), isMet: ratio <= most };
}

/** Dispatches of a step: at most 23 a layer and 12, and the same for every cohort. */
function dispatchValue({ shapes, replicas }: Measured): TargetValue {
  const excess = shapes.flatMap((shape) => {
    const dispatches = ownOf(shape)?.counts?.dispatches;
    return dispatches === undefined ? [] : [dispatches - (23 * shape.shape.numLayers + 12)];
  });
  const list = shapes.flatMap((shape) => {
    const dispatches = ownOf(shape)?.counts?.dispatches ?? NaN;
    return `${dispatches} at ${shape.shape.numLayers} layers`;
  });
  const ofCohorts = new Set(replicas.cohorts.map(({ counts }) => counts.dispatches));
  const areSame = ofCohorts.size === 1;
  return {
    measured: `${[...new Set(list)].join(', ')}; ${areSame ? 'the same' : 'not the same'} for ${replicas.cohorts.map(({ numReplicas }) => numReplicas).join(', ')} replicas`,
    isMet: areSame && Math.max(...excess) <= 0,
  };
}

function steadyValue({ replicas }: Measured): TargetValue {
  const { numSteps, counts } = replicas.flat;
  const { submits, buffers, bindGroups, pipelines } = counts;
  return {
    measured: `${numSteps} steps: ${submits} submits, ${buffers} buffers, ${bindGroups} bind groups, ${pipelines} pipelines created`,
    isMet: submits === numSteps && buffers + bindGroups + pipelines === 0,
  };
}

function cohortValue({ replicas }: Measured): TargetValue {
  const eight = replicas.cohorts.find(({ numReplicas }) => numReplicas === 8);
  if (eight === undefined) return null;
  const { hostRatio, stepRatio } = eight;
  return {
    measured: `host ${times(hostRatio)} one run; whole step ${times(stepRatio)} eight runs`,
    isMet: hostRatio <= 1.2,
  };
}

function samplingValue({ sampling }: Measured): TargetValue {
  const rate = (name: string): number | undefined =>
    sampling.find(({ sampler }) => sampler === name)?.tokensPerSecond;
  const [own, other] = [rate('compiled'), rate('tfjsWebgpu')];
  if (own === undefined || other === undefined) return null;
  return { measured: times(own / other), isMet: own >= 20 * other };
}

function memoryValue(large: ShapeResult | undefined, { replicas }: Measured): TargetValue {
  const bytes = ownOf(large)?.bytes ?? null;
  if (bytes === null) return null;
  const { growth, numSteps } = replicas.flat;
  return {
    measured: `${(bytes / 1e6).toFixed(1)} MB; ${growth} bytes more after ${numSteps} steps of the small batch`,
    isMet: bytes <= 64e6 && growth === 0,
  };
}

function hostValue({ shapes }: Measured): TargetValue {
  const issues = shapes.map((shape) => ownOf(shape)?.issueMs ?? NaN);
  return {
    measured: `${issues.map((ms) => ms.toFixed(2)).join(', ')} ms`,
    // As shown: the clock's own rounding would decide at the limit.
    isMet: issues.every((ms) => Number(ms.toFixed(2)) <= 0.3),
  };
}

function lossValue({ shapes }: Measured): TargetValue {
  const compared = shapes.filter(({ peers }) => peers.length > 1);
  if (compared.length === 0) return null;
  const difference = Math.max(...compared.map((shape) => shape.largestLossDifference));
  return { measured: difference.toExponential(1), isMet: difference <= 1e-3 };
}

/** One row a target, those without a measurement too. */
export function targetRows(measured: Measured): TargetRow[] {
  const byId = (id: ShapeResult['id']): ShapeResult | undefined =>
    measured.shapes.find((shape) => shape.id === id);
  const [small, large] = [byId('small'), byId('large')];
  const rate = ownOf(large)?.gigaflops;
  const share = rate === undefined ? null : rate / measured.rooflineGigaflops;
  return [
    row(
      'step L2 D64 T16 B64 / jax-js jit, webgpu',
      '≤ 0.45 ×',
      ratioValue(small, 'jaxWebgpu', 0.45),
    ),
    row('step L2 D64 T16 B64 / tfjs ops, webgpu', '≤ 0.1 ×', ratioValue(small, 'tfjsWebgpu', 0.1)),
    row('step L4 D128 T64 B32 / jax-js jit, webgpu', '< 1 ×', ratioValue(large, 'jaxWebgpu', 1)),
    row(
      'step L4 D128 T64 B32, share of the best rate',
      '≥ 60 %',
      share === null ? null : { measured: percent(share), isMet: share >= 0.6 },
    ),
    row('host time to issue a step', '≤ 0.3 ms', hostValue(measured)),
    row('dispatches a step', '≤ 23 L + 12, the same for all replicas', dispatchValue(measured)),
    row('steady state', '1 submit a step, nothing created', steadyValue(measured)),
    row('8 replicas in one cohort', 'host time ≤ 1.2 × one run', cohortValue(measured)),
    row('sampling / tfjs recomputation, webgpu', '≥ 20 × tokens/s', samplingValue(measured)),
    row('GPU memory, L4 D128 T64 B32', '≤ 64 MB, flat', memoryValue(large, measured)),
    row('losses of all libraries, three steps', 'within 1e-3', lossValue(measured)),
  ];
}
