import { expect, test } from 'vitest';
import type { LoggedIntervention } from '../../config/loggedIntervention';
import { parseSpec } from '../../config/parseSpec';
import { presets } from '../../config/presets';
import { specHash } from '../../config/specHash';
import { steerTrainings, trainingsAt } from '../../config/steering';
import { withInterventions } from '../../config/steerSpec';
import { commandText, interventionText, shortText } from './interventionText';
import { withIds } from './PlannedChanges';
import { plannedIn } from './plannedIn';
import {
  presentValues,
  settledAt,
  specWithoutChange,
  steeredTrainings,
  steerGroups,
} from './steerOptions';

const { spec } = presets['route-search-answer'];
const [first, second] = spec.arms.map(({ name }) => name);

const lower: LoggedIntervention = {
  iteration: 57,
  arm: null,
  path: 'policies.*.optimizer.learningRate',
  value: 1e-4,
  was: [3e-4],
  by: 'user',
};

test('an intervention reads as what it did, where, and from when on', () => {
  expect(interventionText(lower)).toBe(
    'Learning rate 0.0003 → 0.0001 in all arms from iteration 57',
  );
  expect(interventionText({ ...lower, was: [3e-4, 2e-4], arm: first! })).toBe(
    `Learning rate → 0.0001 (was 0.0003, 0.0002) in arm ${first} from iteration 57`,
  );
  const ofOne = { ...lower, path: 'policies.search.optimizer.learningRate' };
  expect(commandText(ofOne)).toBe('search: Learning rate → 0.0001 in all arms');
  expect(shortText({ ...ofOne, arm: second! })).toBe(`${second}: search: Learning rate → 0.0001`);
  const clip = { ...lower, path: 'policies.*.optimizer.maxGradNorm', value: 1, was: [null] };
  expect(interventionText(clip)).toContain('Gradient clip off → 1 ');
});

test('what is on offer can be changed: every setting takes another value in all arms', () => {
  const trainings = trainingsAt(spec, 1);
  const groups = steerGroups([...trainings.values()]);
  expect(groups.map(({ heading }) => heading)).toEqual([
    'All policies',
    'Policy router',
    'Policy search',
    'Policy answer',
    'Loss',
    'Estimator',
  ]);
  const paths = groups.flatMap(({ options }) => options.map(({ path }) => path));
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) {
    const [value] = presentValues([...trainings.values()], path);
    // What is there already is a value that can be.
    expect([path, steerTrainings(trainings, { arm: null, path, value: value! }).ok]).toEqual([
      path,
      true,
    ]);
  }
});

test('a setting that only some arms have is on offer for those alone', () => {
  const mixed = {
    ...spec,
    arms: [
      { name: 'clip', overrides: {} },
      { name: 'sapo', overrides: { 'loss.kind': 'sapo' } },
    ],
  };
  const offered = (arm: string | null): readonly string[] =>
    steerGroups(steeredTrainings(mixed, 1, arm)).flatMap(({ options }) =>
      options.map(({ path }) => path),
    );
  expect(offered(null)).not.toContain('loss.clipHigh');
  expect(offered(null)).toContain('loss.entropyCoef');
  expect(offered('clip')).toContain('loss.clipHigh');
  expect(offered('sapo')).toContain('loss.tauPositive');
});

test('the settings that a change finds are those of the last change before it', () => {
  const { iteration, arm, path, value } = lower;
  const steered = withInterventions(spec, [{ iteration, arm, path, value }]);
  expect([0, 55, 56, 90].map((now) => settledAt(steered, now))).toEqual([1, 1, 57, 57]);
  const at = (now: number) =>
    presentValues(steeredTrainings(steered, settledAt(steered, now), first!), path);
  expect(at(55)).toEqual([spec.policies['router']!.optimizer.learningRate]);
  expect(at(56)).toEqual([1e-4]);
});

test('without a change the experiment is that before it, and without the first it is the plain one', () => {
  const log: LoggedIntervention[] = [
    lower,
    { ...lower, iteration: 60, path: 'loss.entropyCoef', value: 0.1, was: [0] },
    { ...lower, iteration: 70, value: 5e-5, was: [1e-4] },
  ];
  const steered = withInterventions(
    spec,
    log.map(({ iteration, arm, path, value }) => ({ iteration, arm, path, value })),
  );
  const later = specWithoutChange(steered, log, 1);
  expect(later.interventions).toEqual(steered.interventions!.slice(0, 1));
  expect(later.title).toBe(`${spec.title} without the change at iteration 60`);
  expect(parseSpec(later)).toEqual({ ok: true, spec: later });
  const plain = specWithoutChange(steered, log, 0);
  expect(specHash({ ...plain, title: spec.title })).toBe(specHash(spec));
  const long = specWithoutChange({ ...steered, title: 'x'.repeat(120) }, log, 2);
  expect(long.title).toHaveLength(120);
  expect(long.title).toMatch(/x without the change at iteration 70$/);
});

test('plans of a draft that is not valid are listed, and equal texts are told apart', () => {
  const { iteration, arm, path, value } = lower;
  const planned = { iteration, arm, path, value };
  expect(plannedIn({ interventions: [planned, { iteration: 'soon' }] })).toEqual([planned]);
  expect(plannedIn({})).toEqual([]);
  const ids = withIds(['a', 'a', 'b']).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});
