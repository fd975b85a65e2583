import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { chromiumFlags } from './commands/chromium.mjs';

/** A command of the Chrome DevTools Protocol. */
interface Command {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Send = (command: Command) => Promise<Readonly<Record<string, unknown>>>;

/**
 * The protocol over a pair of pipes, messages ended by a zero byte.
 * https://chromedevtools.github.io/devtools-protocol/, switch `--remote-debugging-pipe`.
 */
function connect(input: Writable, output: Readable): Send {
  const waiting = new Map<number, (answer: Answer) => void>();
  let received = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (received + text).split('\0');
    received = messages.pop() ?? '';
    for (const message of messages) {
      const answer: Answer = JSON.parse(message);
      if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
    }
  });
  let lastId = 0;
  return (command) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (result) resolve(result);
        else reject(new Error(`${command.method}: ${error?.message ?? 'no result'}`));
      });
      input.write(`${JSON.stringify({ ...command, id })}\0`);
    });
}

interface Tab {
  /** Brings the tab to the front of its window. */
  readonly activate: () => Promise<void>;
  /** Value of an expression, awaited. */
  readonly evaluate: (expression: string) => Promise<unknown>;
}

export interface RawChromium {
  readonly openTab: (url: string) => Promise<Tab>;
  readonly close: () => Promise<void>;
}

async function openTab(send: Send, url: string): Promise<Tab> {
  const { targetId } = await send({ method: 'Target.createTarget', params: { url } });
  const attach = { method: 'Target.attachToTarget', params: { targetId, flatten: true } };
  const sessionId = String((await send(attach))['sessionId']);
  return {
    activate: async () => {
      await send({ method: 'Target.activateTarget', params: { targetId } });
    },
    evaluate: async (expression) => {
      const params = { expression, awaitPromise: true, returnByValue: true };
      const { result } = await send({ method: 'Runtime.evaluate', params, sessionId });
      return typeof result === 'object' && result !== null && 'value' in result
        ? result.value
        : undefined;
    },
  };
}

/**
 * A Chromium as a user has it: Playwright keeps every page visible and its timers unthrottled, so a hidden tab can only be
 * seen without it.
 */
export async function launchRawChromium(executablePath: string): Promise<RawChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'marlbook-profile-'));
  const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`];
  const child = spawn(executablePath, [...flags, ...chromiumFlags('swiftshader'), 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [, , , input, output] = child.stdio;
  if (!(input instanceof Writable && output instanceof Readable))
    throw new Error(`${executablePath} was started without the pipes of its protocol.`);
  const send = connect(input, output);
  return {
    openTab: (url) => openTab(send, url),
    close: async () => {
      await send({ method: 'Browser.close' });
      await ended;
      await rm(profile, { recursive: true, maxRetries: 5 });
    },
  };
}
