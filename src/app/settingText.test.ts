import { expect, test } from 'vitest';
import { armSettings, differenceText, issueText, settingName, settingValue } from './settingText';

test('a policy’s setting is named with its policy, a setting of the whole without', () => {
  expect(settingName('policies.router.optimizer.learningRate')).toBe('router: Learning rate');
  expect(settingName('groups.groupSize')).toBe('Group size');
  expect(settingName('seeds')).toBe('Seeds');
});

test('values read as the form prints them', () => {
  expect(settingValue('estimator.scope', 'taskAgent')).toBe('task × agent (Dr. MAS)');
  expect(settingValue('estimator.ddof', 0)).toBe('population, n');
  expect(settingValue('policies.router.optimizer.maxGradNorm', null)).toBe('off');
  expect(settingValue('groups.groupSize', 32)).toBe('32 rollouts');
  expect(settingValue('groups.groupSize', NaN)).toBe('empty');
  expect(settingValue('arms', [{ name: 'global', overrides: {} }])).toBe('global');
});

test('an empty control is said to hold nothing', () => {
  expect(issueText('NaN came, expected a number from 0 to 1.')).toBe(
    'Nothing came, expected a number from 0 to 1.',
  );
});

test('a difference reads from left to right', () => {
  expect(differenceText({ path: 'loss.dualClip', from: 3, to: null })).toBe('Dual clip: 3 → off');
  expect(differenceText({ path: 'environment.modulus', from: undefined, to: 10 })).toBe(
    'Modulus: absent → 10',
  );
});

test('every arm shows the settings in which any arm differs, its own ones marked', () => {
  const global = { name: 'global', overrides: {} };
  const byStep = { name: 'byStep', overrides: { 'estimator.unit': 'step' } };
  const draft = { estimator: { unit: 'trajectory' } };
  expect(armSettings(byStep, [global, byStep], draft)).toEqual([
    { text: 'One sample per: step', isOwn: true },
  ]);
  expect(armSettings(global, [global, byStep], draft)).toEqual([
    { text: 'One sample per: trajectory', isOwn: false },
  ]);
});
