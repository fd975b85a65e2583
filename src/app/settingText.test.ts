import { expect, test } from 'vitest';
import { recipes } from '../config/recipes';
import { armSettings } from './armSettings';
import { differenceText, issueText, settingName, settingValue } from './settingText';

test('a policy’s setting is named with its policy, a setting of the whole without', () => {
  expect(settingName('policies.router.optimizer.learningRate')).toBe('router: Learning rate');
  expect(settingName('groups.groupSize')).toBe('Group size');
  expect(settingName('seeds')).toBe('Seeds');
  expect(settingName('arms.1.overrides.estimator.unit')).toBe('Arm 2: One sample per');
  expect(settingName('arms.0.overrides')).toBe('Arm 1');
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

test('what a recipe repeats of the form, and what comes with another arm’s kind, tells no arms apart', () => {
  const draft = { estimator: { kind: 'group', unit: 'trajectory', ddof: 1 } };
  const turns = {
    name: 'turns',
    overrides: { 'estimator.kind': 'turnReturn', 'estimator.gamma': 0.9, 'estimator.ddof': 1 },
  };
  const plain = { name: 'plain', overrides: {} };
  const texts = (arm: typeof plain) =>
    armSettings(arm, [plain, turns], draft).map(({ text }) => text);
  expect(texts(turns)).toEqual(['Estimator: per turn (MAGRPO)', 'Discount γ: 0.9']);
  expect(texts(plain)).toEqual(['Estimator: group-relative']);
});

test('an arm made from a recipe is told by the recipe’s name, and adds nothing to the others', () => {
  const [recipe] = recipes.method;
  if (!recipe) throw new Error('No recipes.');
  const made = { name: recipe.id, overrides: recipe.overrides };
  const byStep = { name: 'byStep', overrides: { 'estimator.unit': 'step' } };
  const draft = { estimator: { unit: 'trajectory' } };
  expect(armSettings(made, [made, byStep], draft)).toEqual([
    { text: `Recipe: ${recipe.label}`, isOwn: true },
  ]);
  expect(armSettings(byStep, [made, byStep], draft)).toEqual([
    { text: 'One sample per: step', isOwn: true },
  ]);
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
