/** The command line of `npm run record`, read into typed values. */
import { CommandError } from './project.mjs';
import { readArguments } from './readArguments.mjs';

export const recordHelp = `npm run record -- <notebook> | all [options]

Runs the experiments of a notebook of the gallery in a headless Chromium, each on the backend that it
names, and writes public/notebooks/<notebook>.json and the list of the gallery. A run is kept while its
settings are those of its experiment: from results/recordings, where it has every metric, or from the file
itself, where that has all that the notebook reads. A change of text, charts or claims needs no run.

  --again    run also what is there already
  --no-runs  run nothing: write the files with the runs that are there
  --help     this text

Exit code: 0 recorded, 1 failed or refused.`;

/**
 * @param {string[]} args without the program's name
 * @returns {{ notebook: string; runs: 'missing' | 'all' | 'none' } | null} null = print the help
 * @throws {CommandError} for anything that cannot be read
 */
export function readRecordOptions(args) {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [notebook, ...others] = positionals;
  if (notebook === undefined || others.length > 0)
    throw new CommandError(
      `${positionals.length} notebooks named, expected one, or all. npm run record -- --help explains.`,
    );
  if (values.again && values['no-runs'])
    throw new CommandError('--again and --no-runs came together: choose one.');
  const runs = values.again ? 'all' : values['no-runs'] ? 'none' : 'missing';
  return { notebook, runs };
}

/** @param {string[]} args */
function parse(args) {
  return readArguments('record', {
    args,
    allowPositionals: true,
    options: {
      again: { type: 'boolean', default: false },
      'no-runs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}
