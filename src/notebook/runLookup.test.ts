import { expect, test } from 'vitest';
import { armStatistics } from '../metrics/armStatistics';
import { counterUniform } from '../metrics/counterUniform';
import { createRunSeries } from '../metrics/runSeries';
import { summarizeRun } from '../metrics/summary';
import { parseReference, type LiveReference } from './liveReference';
import { runLookup } from './runLookup';
import { armSummary, metricSummary } from './runSummaries';
import { sampleNotebook } from './testing/sampleNotebook';
import { log, sampleRun } from './testing/sampleRun';

const notebook = sampleNotebook();
const run = sampleRun();
const lookup = runLookup(notebook, new Map([['e1', run]]));

function reference(text: string): LiveReference {
  const parsed = parseReference(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.reference;
}

/** The number, or the kind of the answer where there is none. */
function found(text: string): number | string {
  const answer = lookup(reference(text));
  return answer.kind === 'value' ? answer.value : answer.kind;
}

test.each([
  ['e1.global.seeds', 3],
  // The slowest: success of every seed has two values, seeds 0 and 1 have norms up to 6 and 2.
  ['e1.global.iterations', 2],
  ['e1.global.collapsed', 1],
  // 9 > 3 × 1 in seed 0, the NaN in seed 1.
  ['e1.global.spikes', 2],
  ['e1.agentWise.collapsed', 0],
  // Median of 0.4, 0.2, 0.3; of their highest 0.4, 0.9, 0.3; mean of all three, since fewer than 4 have no quarters to cut.
  ['e1.global.team.success.last', 0.3],
  ['e1.global.team.success.best', 0.4],
  ['e1.global.team.success.peak', 0.4],
  ['e1.global.team.success.spikes', 0],
  // Seed 2 of agentWise has no finite value: median of 0.9 and 0.1.
  ['e1.agentWise.team.success.last', 0.5],
  // Its two NaN are spikes by the rule.
  ['e1.agentWise.team.success.spikes', 2],
  ['e1.global.search.gradNorm.peak', 5.5],
  ['e1.global.search.gradNorm.spikes', 2],
  ['e1.global.router.entropy.last', 1.5],
])('%s is %d', (text, value) => {
  expect(found(text)).toBeCloseTo(value, 12);
});

test.each([
  ['e1.global.answer.gradNorm.spikes', 'noValue'],
  ['e1.global.router.entropy.iqm', 1.5],
  ['e2.global.spikes', 'noValue'],
  ['e2.global.seeds', 'noValue'],
  ['e9.global.spikes', 'unknown'],
  ['e1.nobody.spikes', 'unknown'],
  ['e1.global.nobody.entropy.last', 'unknown'],
])('%s is %s', (text, answer) => {
  expect(found(text)).toBe(answer);
});

test('an arm that the notebook has and the run had not has no value', () => {
  const older = { ...run, spec: { ...run.spec, arms: run.spec.arms.slice(0, 1) } };
  const answers = runLookup(notebook, new Map([['e1', older]]));
  expect(answers(reference('e1.agentWise.seeds'))).toEqual({ kind: 'noValue' });
});

test('nothing logged yet is no value, N included', () => {
  const empty = { series: createRunSeries(), spec: run.spec };
  const answers = runLookup(notebook, new Map([['e1', empty]]));
  expect(answers(reference('e1.global.seeds'))).toEqual({ kind: 'noValue' });
});

test('the numbers are those of the summary table', () => {
  const scope = {
    arms: ['global', 'agentWise'],
    seeds: run.spec.seeds,
    agents: ['router', 'search', 'answer'],
  };
  for (const arm of summarizeRun(run.series, scope).arms) {
    const at = (rest: string): number | string => found(`e1.${arm.arm}.${rest}`);
    expect(at('team.success.last')).toBe(arm.success.last?.median);
    expect(at('team.success.best')).toBe(arm.success.best?.median);
    expect(at('seeds')).toBe(arm.numSeeds);
    expect(at('iterations')).toBe(arm.iterations);
    expect(at('collapsed')).toBe(arm.numCollapsed);
    for (const [agent, norms] of Object.entries(arm.agents)) {
      expect(at(`${agent}.gradNorm.peak`)).toBe(norms.peak?.median ?? 'noValue');
      const isLogged = norms.peak !== null || norms.numNotFinite > 0;
      expect(at(`${agent}.gradNorm.spikes`)).toBe(isLogged ? norms.numSpikes : 'noValue');
    }
  }
});

test('the interquartile mean is that of the statistics of arms', () => {
  const options = { level: 0.95, numResamples: 10, uniform: counterUniform(0) };
  const scope = { arms: ['global', 'agentWise'], seeds: run.spec.seeds, agents: [] };
  const request = { metric: 'success', score: 'last', baseline: 'global' } as const;
  for (const { arm, iqm } of armStatistics(run.series, scope, request, options))
    expect(found(`e1.${arm}.team.success.iqm`)).toBe(iqm?.estimate);
});

test('a run is summarised once per revision', () => {
  const growing = sampleRun();
  const key = { arm: 'global', agent: 'team', metric: 'success' } as const;
  const before = metricSummary(growing, key);
  const arm = armSummary(growing, 'global');
  expect(metricSummary(growing, key)).toBe(before);
  expect(armSummary(growing, 'global')).toBe(arm);
  log(growing.series, [{ arm: 'global', seed: 7, agent: 'team', metric: 'success', values: [1] }]);
  expect(metricSummary(growing, key)).not.toBe(before);
  expect(armSummary(growing, 'global')).not.toBe(arm);
});

test('other settings of the same series are summarised anew', () => {
  const key = { arm: 'global', agent: 'team', metric: 'success' } as const;
  const fewer = { ...run, spec: { ...run.spec, seeds: [0] } };
  expect(metricSummary(run, key).seeds).toHaveLength(3);
  expect(metricSummary(fewer, key).seeds).toHaveLength(1);
});
