/** What `npm run bench` prints and writes. Pure: text in, text out. */

/** @typedef {import('../bench/runBench').BenchMeasurements} BenchMeasurements */

/**
 * @typedef {object} Machine
 * @property {string} browser or Node's version
 * @property {string} adapter in words
 * @property {string} date ISO 8601
 * @property {number} cores
 * @property {string} processor
 * @property {readonly number[]} load processes that wanted a core: in the minute before the run, and in its last minute
 */

/** @param {readonly (readonly string[])[]} rows the first is the heading */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/**
 * @param {BenchMeasurements['shapes'][number]} result
 * @param {number} roofline GFLOP/s
 */
function shapeTable({ shape, numParameters, peers, ratios }, roofline) {
  const { numLayers, hiddenSize, numHeads, vocabularySize, length, numSequences } = shape;
  const title = `Training step, L${numLayers} D${hiddenSize} H${numHeads} V${vocabularySize} T${length} B${numSequences}, ${numParameters} parameters`;
  const heading = [
    'library',
    'first ms',
    'host ms',
    'step ms',
    'compiled / it',
    'of best rate',
    'dispatches',
    'submits',
    'buffers',
    'bind groups',
    'MB',
  ];
  const rows = peers.map(({ peer, firstMs, issueMs, stepMs, gigaflops, counts, bytes }) => [
    peer,
    short(firstMs),
    issueMs.toFixed(2),
    short(stepMs),
    peer === 'compiled' ? '' : `${short(ratios[peer] ?? NaN)} ×`,
    `${((100 * gigaflops) / roofline).toFixed(0)} %`,
    ...(counts === null
      ? ['–', '–', '–', '–']
      : [counts.dispatches, counts.submits, counts.buffers, counts.bindGroups].map(String)),
    bytes === null ? '–' : (bytes / 1e6).toFixed(1),
  ]);
  return `${title}\n${table([heading, ...rows])}`;
}

/** @param {BenchMeasurements['replicas']} replicas */
function replicasTable({ shape, cohorts }) {
  const heading = [
    'replicas',
    'host ms',
    'step ms',
    'host / one run',
    'step / as many runs',
    'dispatches',
    'MB',
  ];
  const rows = cohorts.map((cohort) => [
    String(cohort.numReplicas),
    cohort.issueMs.toFixed(2),
    short(cohort.stepMs),
    `${short(cohort.hostRatio)} ×`,
    `${short(cohort.stepRatio)} ×`,
    String(cohort.counts.dispatches),
    (cohort.bytes / 1e6).toFixed(1),
  ]);
  return `Replicas of one cohort, L${shape.numLayers} D${shape.hiddenSize} T${shape.length} B${shape.numSequences} each\n${table([heading, ...rows])}`;
}

/** @param {boolean | null} isMet */
const verdict = (isMet) => (isMet === null ? '–' : isMet ? 'met' : 'not met');

/**
 * Tables of a run for a terminal, the targets last.
 * @param {BenchMeasurements} measurements
 * @param {Machine} machine
 */
export function benchTables(measurements, machine) {
  const { shapes, matmuls, replicas, sampling, targets, rooflineGigaflops } = measurements;
  const parts = [
    `${machine.adapter}\n${machine.browser}, ${machine.date}, ${machine.cores} cores (${machine.processor}), load ${machine.load.map((load) => load.toFixed(1)).join(' → ')}`,
    'All libraries train the same model: RMSNorm, rotary positions, SwiGLU, an untied head, Adam. On wasm each has one thread; host ms of jax-js is the recording of the step alone, which it runs later.',
    ...shapes.map((shape) => shapeTable(shape, rooflineGigaflops)),
    replicasTable(replicas),
    ...sampling.map(
      ({ sampler, tokensPerSecond, numTokens }) =>
        `Sampling, ${sampler}: ${short(tokensPerSecond)} tokens/s (${numTokens} tokens)`,
    ),
    `Best matrix product of the project's kernel: ${short(Math.max(...matmuls.map(({ gigaflops }) => gigaflops)))} GFLOP/s; best rate of anything on this adapter: ${short(rooflineGigaflops)} GFLOP/s`,
    table([
      ['target', 'wanted', 'measured', ''],
      ...targets.map(({ figure, target, measured, isMet }) => [
        figure,
        target,
        measured,
        verdict(isMet),
      ]),
    ]),
  ];
  return parts.join('\n\n');
}
