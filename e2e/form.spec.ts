import { expect } from '@playwright/test';
import { test } from './notebookTest';
import { tinySpec } from './tinySpec';

test('an invalid value is explained beside its field and Run is off until it is mended', async ({
  notebook,
}) => {
  await notebook.open();
  await expect(notebook.run).toBeEnabled();
  const size = await notebook.setting('Groups', 'Group size');
  const valid = await size.inputValue();
  await size.fill('2.5');
  await expect(size).toHaveAttribute('aria-invalid', 'true');
  await expect(size).toHaveAccessibleDescription(/2\.5/);
  await expect(notebook.run).toBeDisabled();
  await expect(notebook.run).toHaveAccessibleDescription(/Group size.*2\.5/);
  await expect(notebook.button('Share')).toBeDisabled();
  await size.fill(valid);
  await expect(notebook.run).toBeEnabled();
});

test('a fragment that is no link is refused with the reason and the page stays as it was', async ({
  notebook,
}) => {
  await notebook.open('#v1.notAValidPayload');
  const refusal = notebook.notice('The link was not opened');
  await expect(refusal).toContainText('damaged');
  await notebook.button('Close').click();
  await expect(refusal).toBeHidden();
  await expect(notebook.run).toBeEnabled();
});

test('a link of a later version is refused by its version', async ({ notebook }) => {
  await notebook.open('#v2.AAAA');
  await expect(notebook.notice('The link was not opened')).toContainText('v2');
});

test('a link with values out of range is refused with the path of each, and nothing is loaded', async ({
  notebook,
}) => {
  const hostile = {
    ...tinySpec,
    groups: { ...tinySpec.groups, tasksPerIteration: -7 },
    loss: { ...tinySpec.loss, clipHigh: 1e9 },
  };
  await notebook.openSpec(hostile);
  const refusal = notebook.notice('The link was not opened');
  await expect(refusal).toContainText('groups.tasksPerIteration');
  await expect(refusal).toContainText('loss.clipHigh');
  await expect(notebook.phase('Not run yet')).toBeVisible();
  await expect(await notebook.setting('Groups', 'Tasks')).not.toHaveValue('-7');
});

test('a file with a prototype key is refused with its path and changes no object', async ({
  notebook,
}) => {
  await notebook.open();
  // JSON.parse makes __proto__ an own key; an object literal would not.
  const text = JSON.stringify(tinySpec).replace('{', '{"__proto__":{"polluted":true},');
  await notebook.page.getByLabel('Notebook or configuration file', { exact: true }).setInputFiles({
    name: 'hostile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await expect(notebook.notice('The file hostile.json was not opened')).toContainText('__proto__');
  expect(await notebook.page.evaluate(() => 'polluted' in {})).toBe(false);
  await expect(notebook.run).toBeEnabled();
});

test('a saved notebook file opens to the same form', async ({ notebook }) => {
  await notebook.openSpec(tinySpec);
  const saving = notebook.page.waitForEvent('download');
  await notebook.button('Save the notebook as a file').click();
  const path = await (await saving).path();
  await notebook.open();
  await notebook.page.reload();
  await notebook.page
    .getByLabel('Notebook or configuration file', { exact: true })
    .setInputFiles(path);
  await expect(notebook.page.getByRole('heading', { name: 'Tiny', level: 1 })).toBeVisible();
  await expect(await notebook.setting('Groups', 'Group size')).toHaveValue('4');
});

test('without WebGPU the page says so, offers WebAssembly, and keeps Run off until then', async ({
  notebook,
}) => {
  await notebook.page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'gpu');
  });
  await notebook.openSpec({ ...tinySpec, backend: 'webgpu' });
  await expect(notebook.notice('This browser has no WebGPU')).toContainText('113');
  await expect(notebook.run).toBeDisabled();
  await notebook.button('Use WebAssembly instead').click();
  await expect(notebook.run).toBeEnabled();
  await notebook.runToEnd();
  await notebook.finished();
});

test('without a WebGPU adapter the page says so', async ({ notebook }) => {
  await notebook.page.addInitScript(() => {
    GPU.prototype.requestAdapter = () => Promise.resolve(null);
  });
  await notebook.openSpec({ ...tinySpec, backend: 'webgpu' });
  await expect(notebook.notice('The browser found no WebGPU adapter')).toBeVisible();
  await expect(notebook.run).toBeDisabled();
});

test('a recipe sets the fields it is made of and shows its formula', async ({ notebook }) => {
  await notebook.openSpec(tinySpec);
  const recipe = await notebook.setting('Loss', 'Recipe');
  await expect(recipe).toHaveAccessibleDescription(/at most −3A/);
  await recipe.selectOption('SAPO');
  await expect(await notebook.setting('Loss', 'τ, A > 0')).toHaveValue('1');
  await expect(await notebook.setting('Loss', 'Aggregation')).toHaveValue('sequenceMean');
  await expect(recipe).toHaveAccessibleDescription(/\(4\/τ\)·σ\(τ\(ρ − 1\)\).*arXiv 2511\.20347/);
  await expect(notebook.run).toBeEnabled();
  // One setting off, and it is nobody's recipe.
  await notebook.set('Loss', 'τ, A > 0', '2');
  await expect(recipe).toHaveValue('');
});

test('a whole method sets estimator and loss', async ({ notebook }) => {
  await notebook.openSpec(tinySpec);
  await notebook.page.getByLabel('Method', { exact: true }).selectOption('DAPO');
  await expect(await notebook.setting('Loss', 'Clip high')).toHaveValue('0.28');
  await expect(await notebook.setting('Loss', 'Overlong turns')).toHaveValue('1');
  await expect(await notebook.setting('Estimator', 'Recipe')).toHaveValue('grpo');
});

test('settings that make no sense together are refused beside the field, with a way out', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  const sampling = await notebook.setting('Groups', 'Rollouts');
  await sampling.selectOption('tree');
  await expect(sampling).toHaveAttribute('aria-invalid', 'true');
  await expect(sampling).toHaveAccessibleDescription(/task × agent × turn \(AT-GRPO\)/);
  await expect(notebook.run).toHaveAccessibleDescription(/^Rollouts: “tree/);
  await notebook.switchArmOff('agentWise');
  await (await notebook.setting('Estimator', 'Recipe')).selectOption('AT-GRPO with tree sampling');
  await expect(sampling).toHaveAttribute('aria-invalid', 'false');
  await expect(notebook.run).toBeEnabled();
});

test('an arm is made from a recipe in two steps, and one that the world cannot have is refused', async ({
  notebook,
}) => {
  await notebook.openSpec(tinySpec);
  const recipe = notebook.page.getByLabel('Arm from a recipe', { exact: true });
  const add = notebook.button('Add the arm from the recipe');
  await recipe.selectOption('Hierarchical GRPO');
  await expect(add).toBeDisabled();
  await expect(recipe).toHaveAccessibleDescription(/this world has none/);
  await recipe.selectOption('SAMPO (ARLArena)');
  await add.click();
  await expect(notebook.page.getByRole('checkbox', { name: /^sampo/ })).toBeChecked();
  await expect(notebook.page.getByText('Recipe: SAMPO (ARLArena)')).toBeVisible();
  await expect(notebook.run).toBeEnabled();
});

for (const width of [1440, 390])
  test(`help on a choice lists every option with formula and source inside the window, ${width} px wide`, async ({
    notebook,
  }) => {
    await notebook.page.setViewportSize({ width, height: 844 });
    await notebook.openSpec(tinySpec);
    await notebook.setting('Estimator', 'Statistics over');
    await notebook.button('About Statistics over').focus();
    const list = notebook.page.getByRole('region', { name: 'Options of Statistics over' });
    await expect(list.getByRole('term')).toHaveCount(6);
    await expect(list.getByRole('term').first()).toHaveText('task (global) (chosen)');
    await expect(list.getByText('(r − μₖ)/(σₖ + ε)').first()).toBeAttached();
    const box = await list.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    // The keyboard reaches its end and closes it.
    await notebook.page.keyboard.press('Tab');
    await expect(list).toBeFocused();
    await notebook.page.keyboard.press('End');
    await expect(list.getByRole('term').last()).toBeInViewport();
    await notebook.page.keyboard.press('Escape');
    await expect(list).toBeHidden();
  });
