import { expect, test } from 'vitest';
import {
  defaultEstimators,
  defaultFailureTags,
  defaultGroups,
  defaultLosses,
  defaultPulses,
} from '../../config/defaults';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { replicasOf } from '../../config/overrides';
import { presets } from '../../config/presets';
import { eventsOf, rowsOf, tinyPolicies, tinySpec } from '../../engine/testing/runInProcess';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { appendRows, createRunSeries } from '../../metrics/runSeries';
import { workedExample } from '../../metrics/workedExample';
import { runFacts } from './runFacts';

const groups = { ...defaultGroups.parallel, tasksPerIteration: 3, groupSize: 4 };
const only = [{ name: 'only', overrides: {} }];
const { solver, verifier } = presets['solve-verify'].spec.agents;
const twoPolicies = tinyPolicies(['planner', 'executor']);

/** Small runs under settings that formulas depend on. */
const runs: Readonly<Record<string, Partial<ExperimentSpec>>> = {
  'Dr. MAS and GRPO': {},
  'everything measured': {
    diagnostics: {
      counterfactualNorms: true,
      gradientConflict: true,
      gradientConcentration: true,
      blame: 'gradNorm',
      every: 1,
    },
  },
  'population variance': { estimator: { ...defaultEstimators.group, ddof: 0 }, arms: only },
  'two epochs of minibatches, stale rollouts, a KL penalty': {
    loss: { ...defaultLosses.clip, numMinibatches: 2, numUpdateEpochs: 2, refKlCoef: 0.1 },
    groups: { ...groups, staleIterations: 1 },
    arms: only,
  },
  'dropped groups': { loss: { ...defaultLosses.clip, dynamicSampling: true }, arms: only },
  'a critic': { estimator: defaultEstimators.gae, arms: only },
  'pulses and tags': {
    pulses: { ...defaultPulses.period, numIterations: 2 },
    failureTags: defaultFailureTags.seal,
    arms: only,
  },
  tree: {
    estimator: { ...defaultEstimators.group, scope: 'taskAgentTurn', unit: 'step' },
    groups: { ...groups, sampling: 'tree', teamRewardWeight: 1 },
    arms: only,
  },
  'one policy for both': {
    ...presets['solve-verify'].spec,
    agents: { solver: { ...solver, policy: 'both' }, verifier: { ...verifier, policy: 'both' } },
    policies: tinyPolicies(['both']),
    groups,
    seeds: [0],
    backend: 'cpu',
    evaluation: { every: 2, tasks: 8, greedy: false },
    warmStart: { targetSuccess: 0, maxSteps: 0, tasksPerStep: 8, learningRate: 0.01 },
  },
  'a planner and executors': {
    ...presets['plan-execute'].spec,
    policies: twoPolicies,
    groups,
    seeds: [0],
    backend: 'cpu',
    evaluation: { every: 2, tasks: 8, greedy: false },
    warmStart: { targetSuccess: 0, maxSteps: 0, tasksPerStep: 8, learningRate: 0.01 },
  },
};

test.each(Object.entries(runs))(
  'under %s every equation that gives the value gives the logged value',
  async (_name, changes) => {
    const spec = tinySpec({ groups, iterations: 3, ...changes });
    const rows = rowsOf(await eventsOf({ ...spec, iterations: 3 }));
    const series = createRunSeries();
    const wrong: string[] = [];
    let numValues = 0;
    const training = new Map(replicasOf(spec).map((replica) => [replica.arm, replica.training]));
    for (const [index, row] of rows.entries()) {
      // After every iteration, as the page sees them.
      if (row.iteration !== rows[index - 1]?.iteration)
        appendRows(
          series,
          rows.filter(({ iteration }) => iteration === row.iteration),
        );
      const { arm, seed, agent, values } = row;
      const facts = runFacts(training.get(arm)!, agent, { ...spec, iterations: 3 });
      for (const metric of Object.keys(values).filter(
        (key): key is MetricKey => key in metricCatalog,
      )) {
        const example = workedExample(series, { metric, arm, seed, agent }, facts, [arm]);
        expect(example?.lines.length).toBeGreaterThan(0);
        for (const { gives, result, symbols } of example?.equations ?? []) {
          if (gives !== 'value') continue;
          numValues++;
          const value = example!.value;
          // The small number under fractions is not in the formulas; weights are in float32.
          if (Math.abs(result - value) > 1e-4 * Math.max(1e-3, Math.abs(value)))
            wrong.push(`${metric} of ${agent} in ${arm}: ${symbols} = ${result}, logged ${value}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(numValues).toBeGreaterThan(10);
  },
);
