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

const steady = { submits: 1, buffers: 0, bindGroups: 0, pipelines: 0, bytes: 0 };

/** The report of a run, with the date, machine and products that every run has. */
function readReport(file: string): Report {
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report.schema).toBe(1);
  expect(report.machine.adapter).not.toBe('');
  expect(report.machine.cores).toBeGreaterThan(0);
  expect(Date.parse(report.machine.date)).not.toBeNaN();
  expect(report.matmuls.length).toBeGreaterThan(0);
  expect(report.matmuls.every(({ gigaflops }) => isPositive(gigaflops))).toBe(true);
  expect(report.shapes.map(({ id }) => id)).toEqual(['smoke']);
  expect(report.targets).toHaveLength(11);
  return report;
}

/** Every library's results on the one shape, the compiled engine's first. */
function peersOf({ shapes }: Report): BenchMeasurements['shapes'][number]['peers'] {
  return shapes.flatMap(({ peers }) => peers);
}

/** What holds wherever the compiled engine was measured. */
function expectCompiled(report: Report): void {
  const compiled = peersOf(report)[0]!;
  // Three steps of learning one batch by heart.
  const [first, second, third] = compiled.losses;
  expect(first).toBeCloseTo(Math.log(11), 0);
  expect(second).toBeLessThan(first!);
  expect(third).toBeLessThan(second!);
  expect(compiled.rounds.every(isPositive)).toBe(true);
  expect(compiled.bytes).toBeGreaterThan(0);
  const { dispatches } = compiled.counts!;
  // At the very least its matrix products: a layer's seven, and the head's, once forwards and twice backwards.
  expect(dispatches).toBeGreaterThanOrEqual(3 * 8);
  expect(compiled.counts).toMatchObject(steady);
  const { cohorts, flat } = report.replicas;
  expect(cohorts.map(({ numReplicas }) => numReplicas)).toEqual([1, 3]);
  for (const { counts } of cohorts) expect(counts).toMatchObject({ ...steady, dispatches });
  expect(flat).toMatchObject({
    numSteps: 5,
    growth: 0,
    counts: { ...steady, submits: 5, dispatches: 5 * dispatches },
  });
}

test('npm run bench trains one model in every library and counts what each asks of the device', async () => {
  // Five libraries compile one after another on a software adapter.
  test.setTimeout(400_000);
  const out = test.info().outputPath('bench.json');
  const args = ['--smoke', '--adapter', 'swiftshader', '--out', out];
  const { code, stdout, stderr } = await start(args).ended;
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^target +wanted +measured$/m);
  const report = readReport(out);
  expectCompiled(report);
  expect(report.machine.browser).toMatch(/^Chromium \d/);
  const names = ['compiled', 'jaxWebgpu', 'jaxWasm', 'tfjsWebgpu', 'tfjsWasm'];
  expect(peersOf(report).map(({ peer }) => peer)).toEqual(names);
  const [own, ...others] = peersOf(report);
  for (const { losses } of others)
    for (const [step, loss] of losses.entries())
      expect(Math.abs(loss - own!.losses[step]!)).toBeLessThan(1e-3);
  const ratios = report.shapes[0]!.ratios;
  expect(Object.keys(ratios)).toEqual(names.slice(1));
  expect(Object.values(ratios).every(isPositive)).toBe(true);
  expect(report.sampling.length).toBeGreaterThanOrEqual(2);
  expect(report.sampling.every(({ tokensPerSecond }) => isPositive(tokensPerSecond))).toBe(true);
  // jax-js and tfjs make a bind group for every dispatch; on wasm there is nothing to count.
  const made = others.map(({ counts }) => counts?.bindGroups ?? null);
  const dispatched = others.map(({ counts }) => counts?.dispatches ?? null);
  expect(made).toEqual(dispatched);
  expect(made.map((count) => count !== null && count > 0)).toEqual([true, false, true, false]);
});

test('npm run bench -- --node measures the compiled engine without a browser', async () => {
  const out = test.info().outputPath('node.json');
  const args = ['--node', '--smoke', '--adapter', 'swiftshader', '--out', out];
  const { code } = await start(args).ended;
  expect(code).toBe(0);
  const report = readReport(out);
  expectCompiled(report);
  expect(peersOf(report)).toHaveLength(1);
});

test('Ctrl-C ends the bench and its browser', async () => {
  const command = start(['--smoke', '--adapter', 'swiftshader']);
  await expect.poll(command.stdout, { timeout: 240_000 }).toContain('Matrix products');
  command.child.kill('SIGINT');
  const { code, stderr } = await command.ended;
  expect(code, stderr).toBe(130);
});

test('npm run bench refuses an unknown option in one line', async () => {
  const { code, stderr } = await start(['--fast']).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Unknown option '--fast'/);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
