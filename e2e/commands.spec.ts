import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { projectFolder } from './commands/project.mjs';
import { longSpec, tinySpec } from './tinySpec';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Command {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
}

/** Starts a command as its npm script does. */
function start(name: string, args: readonly string[]): Command {
  const script = join(projectFolder, 'e2e', 'commands', `${name}.mjs`);
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

function readSummary(folder: string): Record<string, unknown> {
  const summary: Record<string, unknown> = JSON.parse(
    readFileSync(join(folder, 'summary.json'), 'utf8'),
  );
  return summary;
}

test('npm run experiment writes the summary and every metric of a tiny run', async () => {
  const testInfo = test.info();
  const file = testInfo.outputPath('tiny.json');
  const out = testInfo.outputPath('out');
  writeFileSync(file, JSON.stringify(tinySpec));
  const args = [file, '--seeds', '3', '--set', 'loss.clipHigh=0.28', '--out', out];
  const { code, stdout, stderr } = await start('experiment', args).ended;
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain('finished 6/6');

  const summary = readSummary(out);
  expect(summary).toMatchObject({
    schema: 1,
    phase: 'finished',
    iteration: 6,
    spec: { seeds: [3], loss: { clipHigh: 0.28 } },
    arms: [
      { arm: 'global', numSeeds: 1, iterations: 6, seeds: [{ seed: 3, iterations: 6 }] },
      { arm: 'agentWise', numSeeds: 1, iterations: 6, seeds: [{ seed: 3, iterations: 6 }] },
    ],
  });
  expect(summary['fingerprint']).toHaveProperty('userAgent', expect.stringContaining('Chrome'));

  const [heading, ...lines] = readFileSync(join(out, 'metrics.csv'), 'utf8').trim().split(/\r?\n/);
  expect(heading).toBe('arm,seed,agent,iteration,metric,value');
  const norms = lines.filter((line) => line.includes(',gradNorm,'));
  // 2 arms × 1 seed × 2 agents × 6 iterations
  expect(norms).toHaveLength(2 * 2 * 6);
});

test('Ctrl-C stops an experiment, which then writes what there is and ends with 130', async () => {
  const testInfo = test.info();
  const file = testInfo.outputPath('long.json');
  const out = testInfo.outputPath('out');
  writeFileSync(file, JSON.stringify(longSpec));
  const command = start('experiment', [file, '--out', out]);
  await expect.poll(command.stdout, { timeout: 240_000 }).toMatch(/training [1-9]\d*\/5000/);
  command.child.kill('SIGINT');
  const { code, stdout } = await command.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('Stopping after this iteration');
  const summary = readSummary(out);
  expect(summary['phase']).toBe('stopped');
  expect(summary['iteration']).toBeGreaterThan(0);
  expect(existsSync(join(out, 'metrics.csv'))).toBe(true);
});

for (const [title, args, reason] of [
  ['an unknown preset', ['no-such-preset'], /preset: no-such-preset came, expected one of /],
  ['a refused value', ['solve-verify', '--set', 'loss.clipLow=7'], /loss\.clipLow: 7 came/],
  ['an unknown setting', ['solve-verify', '--set', 'loss.x=1'], /loss\.x/],
  ['an unknown arm', ['solve-verify', '--arms', 'nobody'], /nobody came, expected some of global/],
  ['a damaged link', ['#v1.AAAA'], /refused: link/],
  ['an unknown option', ['solve-verify', '--colour'], /Unknown option '--colour'/],
] as const)
  test(`npm run experiment refuses ${title} in one line`, async () => {
    const { code, stderr } = await start('experiment', args).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

test('npm run experiment says when CHROMIUM_PATH names no browser', async () => {
  const script = join(projectFolder, 'e2e', 'commands', 'experiment.mjs');
  const child = spawn(process.execPath, [script, 'solve-verify'], {
    env: { ...process.env, CHROMIUM_PATH: script },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^CHROMIUM_PATH is .*experiment\.mjs, which does not start/);
});

test('npm start serves the page and ends on Ctrl-C', async () => {
  const command = start('start', ['--port', '0']);
  const address = /http:\/\/localhost:\d+\//;
  await expect.poll(command.stdout).toMatch(address);
  const [url = ''] = address.exec(command.stdout()) ?? [];
  const response = await fetch(url);
  expect(await response.text()).toContain('<title>Marlbook');
  command.child.kill('SIGINT');
  const { code, stdout } = await command.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('Stopped.');
});
