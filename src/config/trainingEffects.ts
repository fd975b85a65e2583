import { turnLimitOf } from './compatibility';
import { byOption, numberOf, trajectoriesOf, whether, type Effect } from './effectGiven';
import { counted, effectNumber, percent } from './effectNumber';
import type { Backend, ExperimentSpec } from './experimentSpec';
import { replicasOf } from './overrides';
import type { trainingFields } from './trainingFields';

/** What the settings of the warm start and the run mean in numbers. */

/** Evaluations of a replica: before the first update, every so many iterations, and at the end. */
function numEvaluations({ iterations, evaluation }: ExperimentSpec): number {
  const isLastExtra = iterations % evaluation.every !== 0;
  return 1 + Math.floor(iterations / evaluation.every) + (isLastExtra ? 1 : 0);
}

const wholeRun: Effect = ({ spec, world }) => {
  const replicas = replicasOf(spec);
  const ofIteration = (
    count: (training: (typeof replicas)[number]['training']) => number,
  ): number => replicas.reduce((sum, { training }) => sum + count(training), 0);
  const episodes = spec.iterations * ofIteration(trajectoriesOf);
  const turns =
    spec.iterations *
    ofIteration((training) => trajectoriesOf(training) * turnLimitOf(training.environment));
  const tokens = turns * (world.maxPromptTokens + world.maxActionTokens);
  return `${counted(spec.arms.length, 'arm')} × ${counted(spec.seeds.length, 'seed')} = ${counted(replicas.length, 'run')} of ${counted(spec.iterations, 'iteration')}: ${counted(episodes, 'training episode')} in all, at most ${counted(turns, 'turn')} and ${counted(tokens, 'token')}.`;
};

const evaluations: Effect = ({ spec }) => {
  const each = numEvaluations(spec);
  const { tasks } = spec.evaluation;
  return `${counted(each, 'evaluation')} × ${counted(tasks, 'episode')} = ${counted(each * tasks, 'episode')} a run, ${counted(each * tasks * spec.arms.length * spec.seeds.length, 'episode')} in all.`;
};

export const trainingEffects = {
  'warmStart.targetSuccess': ({ spec, value }) => {
    const target = numberOf({ value });
    const { tasks } = spec.evaluation;
    if (target === 0) return 'No warm start: reinforcement begins with random weights.';
    return `Measured on ${counted(tasks, 'episode')}: reinforcement begins once ${counted(Math.ceil(target * tasks), 'episode')} or more are solved.`;
  },
  'warmStart.maxSteps': ({ spec, value }) =>
    numberOf({ value }) === 0
      ? 'No warm start: reinforcement begins with random weights.'
      : `At most ${effectNumber(numberOf({ value }))} × ${effectNumber(spec.warmStart.tasksPerStep)} = ${counted(numberOf({ value }) * spec.warmStart.tasksPerStep, 'demonstration')} a run.`,
  'warmStart.tasksPerStep': ({ spec, value }) =>
    `At most ${counted(numberOf({ value }) * turnLimitOf(spec.environment), 'turn')} a step; up to ${counted(spec.warmStart.maxSteps * numberOf({ value }), 'demonstration')} a run.`,
  'warmStart.learningRate': ({ spec, value }) => {
    const rates = Object.entries(spec.policies).map(
      ([id, { optimizer }]) => `${id} ${effectNumber(optimizer.learningRate)}`,
    );
    return `${effectNumber(numberOf({ value }))} per supervised step, without a schedule; reinforcement begins from: ${rates.join(', ')}.`;
  },
  iterations: wholeRun,
  'evaluation.every': evaluations,
  'evaluation.tasks': (given) => {
    const error = Math.sqrt(0.25 / numberOf(given));
    return `${evaluations(given)} A success of 50 % is known to ± ${percent(error)} (one standard error).`;
  },
  'evaluation.greedy': whether(
    () => 'Evaluation is without chance but for its tasks.',
    () => 'Evaluation draws tokens as training does, with the same noise every time.',
  ),
  backend: byOption<Backend>({
    auto: () => 'WebGPU and WebAssembly are timed once per policy before the run.',
    webgpu: () => 'All policies run on the GPU; sums may differ in the last bits between devices.',
    wasm: () => 'All policies run on the processor, in WebAssembly.',
    cpu: () => 'All policies run in plain JavaScript: the same numbers to the last bit everywhere.',
  }),
} satisfies Record<keyof typeof trainingFields, Effect>;
