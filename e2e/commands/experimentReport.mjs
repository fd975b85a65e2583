/** What `npm run experiment` prints: a progress line, and the tables at the end. */
import { join } from 'node:path';
import { projectFolder } from './project.mjs';

/**
 * Naming the module brings `window.marlbook` into the types.
 * @typedef {typeof import('../../src/app/consoleApi')} ConsoleModule
 */
/** @typedef {ReturnType<Window['marlbook']['status']>} Status */
/** @typedef {import('../../src/metrics/catalog').MetricRow} MetricRow */
/** @typedef {import('../../src/metrics/summary').ArmSummary} ArmSummary */
/** @typedef {import('../../src/metrics/summary').SeedSummary} SeedSummary */
/** @typedef {import('../../src/metrics/summary').Spread} Spread */
/** @typedef {import('../../src/metrics/summary').Extreme} Extreme */
/** @typedef {typeof import('../../src/metrics/format')} Formats */

/**
 * The page's own number formats, so that terminal and page agree.
 * @returns {Promise<Formats>}
 */
export async function loadFormats() {
  const { runnerImport } = await import('vite');
  /** @type {{ module: Formats }} */
  const { module } = await runnerImport(join(projectFolder, 'src', 'metrics', 'format.ts'), {
    configFile: false,
    root: projectFolder,
    logLevel: 'warn',
  });
  return module;
}

/**
 * Mean training success over the seeds of each arm, in the last iteration of `rows`.
 * @param {readonly MetricRow[]} rows
 * @returns {Map<string, number>} arm → share
 */
export function successByArm(rows) {
  const team = rows.filter((row) => row.agent === 'team' && row.values.success !== undefined);
  const last = team.at(-1)?.iteration;
  /** @type {Map<string, number[]>} */
  const byArm = new Map();
  for (const { arm, iteration, values } of team)
    if (iteration === last) byArm.set(arm, [...(byArm.get(arm) ?? []), values.success ?? NaN]);
  return new Map(
    [...byArm].map(([arm, shares]) => [arm, shares.reduce((a, b) => a + b, 0) / shares.length]),
  );
}

/**
 * One line: phase, iteration, success per arm, speed, time left.
 * @param {Status} status
 * @param {ReadonlyMap<string, number>} success arm → share
 * @param {Formats} formats
 */
export function progressLine(status, success, { formatNumber, formatCount, formatDuration }) {
  const parts = [
    `${status.phase} ${status.iteration}/${status.iterations}`,
    ...[...success].map(([arm, share]) => `${arm} ${formatNumber(share)}`),
  ];
  if (status.tokensPerSecond !== null)
    parts.push(`${formatCount(status.tokensPerSecond)} tokens/s`);
  if (status.etaMs !== null) parts.push(`${formatDuration(status.etaMs)} left`);
  if (status.message && status.message !== status.phase) parts.push(status.message);
  return parts.join(' · ');
}

/**
 * Columns as wide as their widest cell; the first is flush left, numbers are flush right.
 * @param {readonly (readonly string[])[]} rows the first one is the heading
 */
export function formatTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * An arm's seeds in which an agent has collapsed, or the iteration of a seed's first collapse.
 * @param {ArmSummary | SeedSummary} summary
 */
function collapseCell(summary) {
  if ('numCollapsed' in summary) return String(summary.numCollapsed);
  return summary.collapsedAt === null ? '–' : `@${summary.collapsedAt}`;
}

/**
 * @param {readonly string[]} leadHeadings
 * @param {readonly { lead: readonly string[]; summary: ArmSummary | SeedSummary }[]} entries
 * @param {Formats} formats
 */
function summaryTable(leadHeadings, entries, { formatNumber }) {
  const agents = Object.keys(entries[0]?.summary.agents ?? {});
  const cell = (/** @type {Spread | Extreme | null} */ value) => {
    if (value === null) return '–';
    return `${formatNumber('median' in value ? value.median : value.value)} @${value.iteration}`;
  };
  const rows = entries.map(({ lead, summary }) => [
    ...lead,
    ...[summary.success.last, summary.success.best].map(cell),
    ...[summary.evalSuccess.last, summary.evalSuccess.best].map(cell),
    collapseCell(summary),
    ...agents.flatMap((agent) => {
      const norms = summary.agents[agent];
      if (norms === undefined) return ['–', '–'];
      const spikes = 'medianSpikes' in norms ? norms.medianSpikes : norms.numSpikes;
      return [cell(norms.peak), String(spikes ?? '–')];
    }),
  ]);
  const agentHeadings = agents.flatMap((agent) => [`${agent} peak norm`, 'spikes']);
  const success = ['success last', 'best', 'evaluation last', 'best'];
  const heading = [...leadHeadings, ...success, 'collapsed'];
  return formatTable([[...heading, ...agentHeadings], ...rows]);
}

/**
 * The tables at the end of a run.
 * @param {readonly ArmSummary[]} arms
 * @param {Formats} formats
 */
export function experimentTables(arms, formats) {
  return [
    'Per arm, median over seeds (@ the iteration in which it stood)',
    summaryTable(
      ['arm', 'N'],
      arms.map((arm) => ({ lead: [arm.arm, String(arm.numSeeds)], summary: arm })),
      formats,
    ),
    '',
    'Per seed',
    summaryTable(
      ['arm', 'seed'],
      arms.flatMap(({ arm, seeds }) =>
        seeds.map((seed) => ({ lead: [arm, String(seed.seed)], summary: seed })),
      ),
      formats,
    ),
  ].join('\n');
}
