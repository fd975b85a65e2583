import { expect, test } from 'vitest';
import type { MetricRow } from '../../src/metrics/catalog';
import * as formats from '../../src/metrics/format';
import {
  experimentTables,
  formatTable,
  loadFormats,
  progressLine,
  successByArm,
} from './experimentReport.mjs';

function teamRow(iteration: number, arm: string, seed: number, success: number): MetricRow {
  return { iteration, arm, seed, agent: 'team', values: { success } };
}

test('success per arm is the mean over seeds in the last iteration, agents left out', () => {
  const rows: readonly MetricRow[] = [
    teamRow(1, 'global', 0, 0.9),
    teamRow(2, 'global', 0, 0.25),
    { iteration: 2, arm: 'global', seed: 0, agent: 'router', values: { gradNorm: 3 } },
    teamRow(2, 'global', 1, 0.75),
    teamRow(2, 'agentWise', 0, 1),
  ];
  // (0.25 + 0.75) / 2; iteration 1 is over
  expect([...successByArm(rows)]).toEqual([
    ['global', 0.5],
    ['agentWise', 1],
  ]);
});

test('the progress line names phase, iteration, arms, speed and time left', () => {
  const status = {
    phase: 'training',
    iteration: 37,
    iterations: 100,
    message: null,
    notices: [],
    interventions: [],
    etaMs: 72_000,
    tokensPerSecond: 182_000,
    wallMs: 1,
    policies: [],
  } as const;
  expect(progressLine(status, new Map([['global', 0.5]]), formats)).toBe(
    'training 37/100 · global 0.500 · 182k tokens/s · 1:12 left',
  );
  const unknown = { ...status, phase: 'warmStart', tokensPerSecond: null, etaMs: null } as const;
  expect(progressLine({ ...unknown, message: 'step 3' }, new Map(), formats)).toBe(
    'warmStart 37/100 · step 3',
  );
  // A detail that says the phase again is left out.
  expect(progressLine({ ...status, message: 'training' }, new Map(), formats)).toBe(
    'training 37/100 · 182k tokens/s · 1:12 left',
  );
});

test('columns are as wide as their widest cell, numbers flush right', () => {
  const table = formatTable([
    ['arm', 'N'],
    ['agentWise', '5'],
    ['global', '12'],
  ]);
  expect(table.split('\n')).toEqual(['arm         N', 'agentWise   5', 'global     12']);
});

test('the tables show an arm’s medians and each seed, and a dash where nothing was logged', () => {
  const success = { last: { value: 0.5, iteration: 9 }, best: { value: 0.75, iteration: 4 } };
  const nothing = { last: null, best: null };
  const spread = { median: 0.5, min: 0.5, max: 0.5, numSeeds: 1, iteration: 9 };
  const norm = { peak: { value: 12, iteration: 3 }, numSpikes: 2, numNotFinite: 0 };
  const text = experimentTables(
    [
      {
        arm: 'global',
        numSeeds: 1,
        iterations: 9,
        success: { last: spread, best: spread },
        evalSuccess: nothing,
        numCollapsed: 1,
        agents: { router: { ...norm, peak: null, medianSpikes: 2 } },
        seeds: [
          {
            seed: 7,
            iterations: 9,
            success,
            evalSuccess: nothing,
            collapsedAt: 8,
            agents: { router: norm },
          },
        ],
      },
    ],
    formats,
  );
  const cells = text.split('\n').map((line) => line.split(/ {2,}/));
  expect(cells).toContainEqual(['global', '1', '0.500 @9', '0.500 @9', '–', '–', '1', '–', '2']);
  expect(cells).toContainEqual([
    'global',
    '7',
    '0.500 @9',
    '0.750 @4',
    '–',
    '–',
    '@8',
    '12.0 @3',
    '2',
  ]);
});

test('the command uses the number formats of the page', async () => {
  const { formatNumber } = await loadFormats();
  expect(formatNumber(0.934)).toBe(formats.formatNumber(0.934));
});
