import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readExperimentOptions } from './experimentOptions.mjs';

const folder = mkdtempSync(join(tmpdir(), 'marlbook-options-'));
const specFile = join(folder, 'tiny.json');
const brokenFile = join(folder, 'broken.json');
writeFileSync(specFile, '{"version":1}');
writeFileSync(brokenFile, '{"version":');
afterAll(() => rmSync(folder, { recursive: true }));

test('a bare name is a preset and changes nothing', () => {
  expect(readExperimentOptions(['solve-verify'])).toEqual({
    source: { preset: 'solve-verify' },
    name: 'solve-verify',
    adjust: {},
    adapter: 'auto',
    out: null,
  });
});

test('a file gives its specification and its name', () => {
  const options = readExperimentOptions([specFile]);
  expect(options?.source).toEqual({ spec: { version: 1 } });
  expect(options?.name).toBe('tiny');
});

test.each(['http://localhost:4173/#v1.abc', '#v1.abc'])(
  'of the link %s the fragment counts',
  (link) => {
    expect(readExperimentOptions([link])?.source).toEqual({ link: '#v1.abc' });
  },
);

test('every option arrives as the value that the page expects', () => {
  const line =
    'p --set groups.groupSize=8 --set loss.dualClip=null --set estimator.scope=taskAgent --set estimator.ddof=1 ' +
    '--arms global,agentWise --seeds 3,1 --iterations 5 --backend cpu --adapter swiftshader --out here';
  const options = readExperimentOptions(line.split(' '));
  expect(options?.adjust).toEqual({
    set: {
      'groups.groupSize': 8,
      'loss.dualClip': null,
      'estimator.scope': 'taskAgent',
      'estimator.ddof': 1,
    },
    arms: ['global', 'agentWise'],
    seeds: [3, 1],
    iterations: 5,
    backend: 'cpu',
  });
  expect([options?.adapter, options?.out]).toEqual(['swiftshader', 'here']);
});

test('a setting may contain an equals sign and a quoted number stays text', () => {
  const options = readExperimentOptions(['p', '--set', 'title=a=b', '--set', 'x="1"']);
  expect(options?.adjust.set).toEqual({ title: 'a=b', x: '1' });
});

test('--help asks for the help alone', () => {
  expect(readExperimentOptions(['--help'])).toBeNull();
});

test.each([
  [[], '0 experiments named, expected one'],
  [['a', 'b'], '2 experiments named, expected one'],
  [['p', '--colour', 'red'], "Unknown option '--colour'"],
  [['p', '--set', 'groupSize'], '--set is "groupSize": expected path=value'],
  [['p', '--seeds', '0,x'], '--seeds is "x": expected a whole number'],
  [['p', '--seeds', '0,'], '--seeds is "": expected a whole number'],
  [['p', '--iterations', '2.5'], '--iterations is "2.5": expected a whole number'],
  [['p', '--backend', 'cuda'], '--backend is "cuda": expected auto, webgpu, wasm, cpu'],
  [['p', '--adapter', 'x'], '--adapter is "x": expected auto, default, swiftshader'],
  [['https://example.org/'], 'has no #v1. part'],
  [[join(folder, 'absent.json')], 'Cannot read'],
  [[brokenFile], 'is not valid JSON'],
])('%j is refused in one line that says why', (args, reason) => {
  expect(() => readExperimentOptions(args)).toThrow(reason);
  expect(() => readExperimentOptions(args)).not.toThrow('\n');
});
