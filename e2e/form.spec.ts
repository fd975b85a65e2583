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
  await notebook.page.getByLabel('Configuration file', { exact: true }).setInputFiles({
    name: 'hostile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await expect(notebook.notice('The file hostile.json was not opened')).toContainText('__proto__');
  expect(await notebook.page.evaluate(() => 'polluted' in {})).toBe(false);
  await expect(notebook.run).toBeEnabled();
});

test('a saved configuration file opens to the same form', async ({ notebook }) => {
  await notebook.openSpec(tinySpec);
  const saving = notebook.page.waitForEvent('download');
  await notebook.button('Save the configuration as a file').click();
  const path = await (await saving).path();
  await notebook.open();
  await notebook.page.reload();
  await notebook.page.getByLabel('Configuration file', { exact: true }).setInputFiles(path);
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
  await expect(notebook.phase('Finished')).toBeVisible();
});

test('without a WebGPU adapter the page says so', async ({ notebook }) => {
  await notebook.page.addInitScript(() => {
    GPU.prototype.requestAdapter = () => Promise.resolve(null);
  });
  await notebook.openSpec({ ...tinySpec, backend: 'webgpu' });
  await expect(notebook.notice('The browser found no WebGPU adapter')).toBeVisible();
  await expect(notebook.run).toBeDisabled();
});
