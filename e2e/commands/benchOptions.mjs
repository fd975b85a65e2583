/** The command line of `npm run bench`, read into typed values. */
import { CommandError } from './project.mjs';
import { readArguments } from './readArguments.mjs';

export const benchHelp = `npm run bench -- [options]

Measures the compiled engine against the same training step in tfjs and jax-js, in one headless
Chromium, and prints each target beside what was measured.

  --quick              without the step of 4 layers and width 128, which is long on a software adapter
  --smoke              the smallest shapes once: shows that everything runs, measures nothing
  --node               the compiled engine alone, without a browser, through Dawn for Node
  --estimators         the advantage estimators on the processor instead (vitest bench)
  --adapter NAME       default = the machine's GPU, swiftshader = computed on the processor,
                       auto = the GPU if there is one, else swiftshader (default)
  --out FILE           where the JSON goes (default results/bench.json)
  --help               this text

Exit code: 0 measured (a missed target too), 1 failed, 130 interrupted. Other work on the machine changes
the times: compare the ratios, which are taken round by round.`;

/** @typedef {'auto' | 'default' | 'swiftshader'} AdapterChoice */

/**
 * @typedef {object} BenchOptions
 * @property {'browser' | 'node' | 'estimators'} where
 * @property {import('../bench/benchSizes').BenchSize} size
 * @property {AdapterChoice} adapter
 * @property {string | null} out null = the default file
 */

/** @type {readonly AdapterChoice[]} */
const adapters = ['auto', 'default', 'swiftshader'];

/** @param {string[]} args */
function parse(args) {
  return readArguments('bench', {
    args,
    options: {
      quick: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      node: { type: 'boolean', default: false },
      estimators: { type: 'boolean', default: false },
      adapter: { type: 'string', default: 'auto' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

/**
 * @param {string[]} args without the program's name
 * @returns {BenchOptions | null} null = print the help
 * @throws {CommandError} for anything that cannot be read
 */
export function readBenchOptions(args) {
  const values = parse(args);
  if (values.help) return null;
  if (values.quick && values.smoke)
    throw new CommandError('--quick and --smoke are two sizes of a run: give one of them.');
  if (values.node && values.estimators)
    throw new CommandError('--node and --estimators are two benches: give one of them.');
  const adapter = adapters.find((name) => name === values.adapter);
  if (adapter === undefined)
    throw new CommandError(`--adapter is "${values.adapter}": expected ${adapters.join(', ')}.`);
  return {
    where: values.estimators ? 'estimators' : values.node ? 'node' : 'browser',
    size: values.smoke ? 'smoke' : values.quick ? 'quick' : 'full',
    adapter,
    out: values.out ?? null,
  };
}
