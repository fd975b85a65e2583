import { parseArgs } from 'node:util';
import { CommandError } from './project.mjs';

/**
 * A command line by Node's rules; what it does not know is one line that says where the options are listed.
 * @template {import("node:util").ParseArgsConfig} T
 * @param {string} command as `npm run` knows it
 * @param {T} config
 * @returns {ReturnType<typeof parseArgs<T>>}
 * @throws {CommandError}
 */
export function readArguments(command, config) {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [reason = ''] = error.message.split('. ');
    throw new CommandError(`${reason}. npm run ${command} -- --help lists the options.`);
  }
}
