/** The command line of `npm run record`, read into typed values. */
import { parseArgs } from 'node:util';
import { CommandError } from './project.mjs';

export const recordHelp = `npm run record -- <notebook> | all [options]

Runs the experiments of a notebook of the gallery in a headless Chromium, each on the backend that it
names, and writes public/notebooks/<notebook>.json and the list of the gallery. A run whose settings are
still those of its experiment is kept from results/recordings, with every metric: a change of text, charts
or claims needs no run.

  --again    run also what is there already
  --help     this text

Exit code: 0 recorded, 1 failed or refused.`;

/**
 * @param {string[]} args without the program's name
 * @returns {{ notebook: string; again: boolean } | null} null = print the help
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
  return { notebook, again: values.again };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        again: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [reason = ''] = error.message.split('. ');
    throw new CommandError(`${reason}. npm run record -- --help lists the options.`);
  }
}
