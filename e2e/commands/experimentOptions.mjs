/** The command line of `npm run experiment`, read into typed values. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CommandError } from './project.mjs';
import { readArguments } from './readArguments.mjs';

export const experimentHelp = `npm run experiment -- <preset | file.json | link> [options]

Runs an experiment in a headless Chromium, exactly as the page runs it, and writes
summary.json and metrics.csv.

  --set path=value     change one setting, e.g. --set groups.groupSize=8 (repeatable)
  --arms a,b           run only these arms
  --seeds 0,1,2        run these seeds
  --iterations N       length of the run
  --backend NAME       auto, webgpu, wasm or cpu
  --adapter NAME       default = the machine's GPU, swiftshader = computed on the processor,
                       auto = the GPU if there is one, else swiftshader (default)
  --out DIR            where the files go (default results/<name>-<hash of the specification>)
  --help               this text

Ctrl-C stops after the iteration under way and writes what there is; a second Ctrl-C ends at once.
Exit code: 0 completed, 1 failed or refused, 130 interrupted.`;

/** @typedef {import('../../src/config/experimentSpec').OverrideValue} OverrideValue */
/** @typedef {import('../../src/config/experimentSpec').Backend} Backend */
/** @typedef {'auto' | 'default' | 'swiftshader'} AdapterChoice */
/** @typedef {{ preset: string } | { spec: unknown } | { link: string }} Source */

/**
 * What to change in the loaded specification. The page validates all of it.
 * @typedef {object} Adjustments
 * @property {Record<string, OverrideValue>} [set]
 * @property {string[]} [arms]
 * @property {number[]} [seeds]
 * @property {number} [iterations]
 * @property {Backend} [backend]
 */

/**
 * @typedef {object} ExperimentOptions
 * @property {Source} source
 * @property {string} name for the output folder
 * @property {Adjustments} adjust
 * @property {AdapterChoice} adapter
 * @property {string | null} out null = the default folder
 */

/** @type {readonly Backend[]} */
const backends = ['auto', 'webgpu', 'wasm', 'cpu'];
/** @type {readonly AdapterChoice[]} */
const adapters = ['auto', 'default', 'swiftshader'];

/** @param {string} path */
function readSpecFile(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(
      `Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  try {
    /** @type {unknown} */
    const spec = JSON.parse(text);
    return spec;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} is not valid JSON: ${reason.replaceAll(/\s+/g, ' ')}`);
  }
}

/**
 * @param {string} text preset id, path of a JSON file, or a share link
 * @returns {{ source: Source; name: string }}
 */
function sourceOf(text) {
  const hash = text.indexOf('#');
  if (hash >= 0) return { source: { link: text.slice(hash) }, name: 'link' };
  if (/^https?:/.test(text))
    throw new CommandError(`The link ${text} has no #v1. part: copy it again with Share.`);
  if (text.endsWith('.json') || existsSync(text))
    return { source: { spec: readSpecFile(text) }, name: basename(text).replace(/\.json$/, '') };
  return { source: { preset: text }, name: text };
}

/**
 * `true`, `3e-3`, `null` and `"quoted"` are read as JSON, anything else is the text itself.
 * @param {string} text
 * @returns {OverrideValue}
 */
function valueOf(text) {
  if (/^(true|false|null|-?\d.*|".*")$/.test(text)) {
    try {
      /** @type {OverrideValue} */
      const value = JSON.parse(text);
      return value;
    } catch {
      return text;
    }
  }
  return text;
}

/**
 * @param {string} option
 * @param {string} text
 */
function integerOf(option, text) {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value))
    throw new CommandError(`--${option} is "${text}": expected a whole number.`);
  return value;
}

/** @param {string} text comma-separated */
function listOf(text) {
  return text.split(',').map((part) => part.trim());
}

/**
 * @template {string} T
 * @param {string} option
 * @param {string} text
 * @param {readonly T[]} allowed
 * @returns {T}
 */
function oneOf(option, text, allowed) {
  const found = allowed.find((value) => value === text);
  if (found === undefined)
    throw new CommandError(`--${option} is "${text}": expected ${allowed.join(', ')}.`);
  return found;
}

/**
 * @param {readonly string[]} assignments
 * @returns {Record<string, OverrideValue>}
 */
function settingsOf(assignments) {
  const pairs = assignments.map((assignment) => {
    const at = assignment.indexOf('=');
    if (at < 1)
      throw new CommandError(
        `--set is "${assignment}": expected path=value, e.g. groups.groupSize=8.`,
      );
    return /** @type {const} */ ([assignment.slice(0, at), valueOf(assignment.slice(at + 1))]);
  });
  return Object.fromEntries(pairs);
}

/** @param {string[]} args */
function parse(args) {
  return readArguments('experiment', {
    args,
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true },
      arms: { type: 'string' },
      seeds: { type: 'string' },
      iterations: { type: 'string' },
      backend: { type: 'string' },
      adapter: { type: 'string', default: 'auto' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
}

/**
 * @param {string[]} args without the program's name
 * @returns {ExperimentOptions | null} null = print the help
 * @throws {CommandError} for anything that cannot be read
 */
export function readExperimentOptions(args) {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [text, ...others] = positionals;
  if (text === undefined || others.length > 0)
    throw new CommandError(
      `${positionals.length} experiments named, expected one: a preset, a .json file or a link. npm run experiment -- --help explains.`,
    );
  const { set, arms, seeds, iterations, backend } = values;
  return {
    ...sourceOf(text),
    adjust: {
      ...(set && { set: settingsOf(set) }),
      ...(arms !== undefined && { arms: listOf(arms) }),
      ...(seeds !== undefined && { seeds: listOf(seeds).map((seed) => integerOf('seeds', seed)) }),
      ...(iterations !== undefined && { iterations: integerOf('iterations', iterations) }),
      ...(backend !== undefined && { backend: oneOf('backend', backend, backends) }),
    },
    adapter: oneOf('adapter', values.adapter, adapters),
    out: values.out ?? null,
  };
}
