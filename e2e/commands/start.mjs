/** `npm start`: installs what is missing, builds, serves the notebook on localhost and prints the address. */
import { parseArgs } from 'node:util';
import {
  CommandError,
  distFolder,
  ensureBuild,
  ensureDependencies,
  requireNode,
  runMain,
  say,
} from './project.mjs';
import { serveFolder } from './server.mjs';

const help = `npm start [-- --port N]

Installs dependencies and builds the page where needed, then serves it on localhost.

  --port N   first port to try (default 4173); the next free one is taken when it is busy
  --help     this text`;

/** @returns {{ port: number; wantsHelp: boolean }} */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4173' },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new CommandError(`--port is ${values.port}: expected a whole number from 0 to 65535.`);
    return { port, wantsHelp: values.help };
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandError(`${error.message}. See npm start -- --help.`);
    throw error;
  }
}

/** @returns {Promise<void>} when the user presses Ctrl-C or the process is asked to end */
function interruption() {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

async function main() {
  const { port, wantsHelp } = readOptions();
  if (wantsHelp) {
    say(help);
    return 0;
  }
  requireNode();
  await ensureDependencies();
  await ensureBuild();
  const site = await serveFolder({ folder: distFolder, port });
  if (site.port !== port && port !== 0) say(`Port ${port} is taken, using ${site.port}.`);
  say(`Marlbook is at ${site.url} (Ctrl-C ends it)`);
  await interruption();
  await site.close();
  say('\nStopped.');
  return 0;
}

await runMain(main);
