import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Machine } from './commands/benchReport.mjs';
import { projectFolder } from './commands/project.mjs';
import type { BenchMeasurements } from './bench/runBench';

/** `npm run bench` on the smallest shapes: that it measures, and what does not depend on the machine. Never times. */

test.describe.configure({ mode: 'default' });

type Report = BenchMeasurements & { readonly schema: number; readonly machine: Machine };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[]) {
  const script = join(projectFolder, 'e2e', 'commands', 'bench.mjs');
  const child = spawn(process.execPath, [script, ...args], { cwd: projectFolder });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stdout: () => stdout, ended };
}

const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;

/** What holds wherever the compiled engine was measured. */
function expectCompiled(report: Report): void {
  expect(report.schema).toBe(1);
  expect(report.machine.adapter).not.toBe('');
  expect(report.machine.cores).toBeGreaterThan(0);
  expect(Date.parse(report.machine.date)).not.toBeNaN();
  expect(report.matmuls.length).toBeGreaterThan(0);
  expect(report.matmuls.every(({ gigaflops }) => isPositive(gigaflops))).toBe(true);
  const [shape] = report.shapes;
  const compiled = shape?.peers.find(({ peer }) => peer === 'compiled');
  // Three steps of learning one batch by heart.
  const [first = 0, second = 0, third = 0] = compiled?.losses ?? [];
  expect(first).toBeCloseTo(Math.log(11), 0);
  expect(second).toBeLessThan(first);
  expect(third).toBeLessThan(second);
  expect(compiled?.rounds.every(isPositive)).toBe(true);
  const steady = { submits: 1, buffers: 0, bindGroups: 0, pipelines: 0, bytes: 0 };
  expect(compiled?.counts).toMatchObject(steady);
  expect(isPositive(compiled?.bytes ?? NaN)).toBe(true);
  const dispatches = compiled?.counts?.dispatches ?? 0;
  // At the very least its matrix products: a layer's seven, and the head's, once forwards and twice backwards.
  expect(dispatches).toBeGreaterThanOrEqual(3 * 8);
  const { cohorts, flat } = report.replicas;
  expect(cohorts.map(({ numReplicas }) => numReplicas)).toEqual([1, 3]);
  for (const { counts } of cohorts) expect(counts).toMatchObject({ ...steady, dispatches });
  expect(flat).toMatchObject({
    numSteps: 5,
    growth: 0,
    counts: { ...steady, submits: 5, dispatches: 5 * dispatches },
  });
  expect(report.targets).toHaveLength(11);
}

test('npm run bench trains one model in every library and counts what each asks of the device', async () => {
  // Five libraries compile one after another on a software adapter.
  test.setTimeout(400_000);
  const out = test.info().outputPath('bench.json');
  const { code, stdout, stderr } = await start([
    '--smoke',
    '--adapter',
    'swiftshader',
    '--out',
    out,
  ]).ended;
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^target +wanted +measured$/m);
  const report: Report = JSON.parse(readFileSync(out, 'utf8'));
  expectCompiled(report);
  expect(report.machine.browser).toMatch(/^Chromium \d/);
  const [shape] = report.shapes;
  const names = ['compiled', 'jaxWebgpu', 'jaxWasm', 'tfjsWebgpu', 'tfjsWasm'];
  expect(shape?.peers.map(({ peer }) => peer)).toEqual(names);
  const [own, ...others] = shape?.peers ?? [];
  for (const { losses } of others)
    for (const [step, loss] of losses.entries())
      expect(Math.abs(loss - own!.losses[step]!)).toBeLessThan(1e-3);
  for (const { peer, counts } of others)
    if (peer.endsWith('Wasm')) expect(counts).toBeNull();
    // Both make their bind groups anew at every dispatch.
    else expect(counts?.bindGroups).toBeGreaterThanOrEqual(own!.counts!.dispatches);
  expect(Object.keys(shape?.ratios ?? {})).toEqual(names.slice(1));
  expect(Object.values(shape?.ratios ?? {}).every(isPositive)).toBe(true);
  expect(report.sampling.every(({ tokensPerSecond }) => isPositive(tokensPerSecond))).toBe(true);
  expect(report.sampling.length).toBeGreaterThanOrEqual(2);
});

test('npm run bench -- --node measures the compiled engine without a browser', async () => {
  test.setTimeout(300_000);
  const out = test.info().outputPath('node.json');
  const args = ['--node', '--smoke', '--adapter', 'swiftshader', '--out', out];
  const { code } = await start(args).ended;
  expect(code).toBe(0);
  const report: Report = JSON.parse(readFileSync(out, 'utf8'));
  expectCompiled(report);
  expect(report.shapes[0]?.peers).toHaveLength(1);
});

test('Ctrl-C ends the bench and its browser', async () => {
  test.setTimeout(200_000);
  const command = start(['--smoke', '--adapter', 'swiftshader']);
  await expect.poll(command.stdout, { timeout: 150_000 }).toContain('Matrix products');
  command.child.kill('SIGINT');
  const { code } = await command.ended;
  expect(code).toBe(130);
});

test('npm run bench refuses an unknown option in one line', async () => {
  const { code, stderr } = await start(['--fast']).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Unknown option '--fast'/);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
