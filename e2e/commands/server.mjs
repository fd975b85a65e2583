/** A static file server for a built page: what any static host does, on localhost. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { contentPolicyHeader } from './contentPolicy.mjs';
import { CommandError } from './project.mjs';

/** @type {Readonly<Record<string, string>>} */
const mimeTypes = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * The file that a request path names inside `folder`, or null when it names none (outside the sub-path, outside the folder,
 * not decodable).
 * @param {string} folder
 * @param {string} basePath begins and ends with a slash
 * @param {string} requestPath as in the request line
 */
function fileFor(folder, basePath, requestPath) {
  const [encoded = ''] = requestPath.split(/[?#]/);
  let path;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    return null;
  }
  if (!path.startsWith(basePath) || path.includes('\0')) return null;
  const relative = path.slice(basePath.length);
  const file = normalize(join(folder, relative === '' ? 'index.html' : relative));
  return file.startsWith(normalize(folder) + sep) ? file : null;
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function answerText(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** What sets a page apart from other origins: its clock then has steps of 5 µs instead of 100. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * @param {{ folder: string; basePath: string; isIsolated: boolean }} site
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer({ folder, basePath, isIsolated }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answerText(response, 405, 'This server only reads.');
  const file = fileFor(folder, basePath, request.url ?? '/');
  const info = file === null ? null : await stat(file).catch(() => null);
  if (file === null || info === null || !info.isFile())
    return answerText(response, 404, `Nothing at ${request.url}; the page is at ${basePath}.`);
  response.writeHead(200, {
    'content-type': mimeTypes[extname(file)] ?? 'application/octet-stream',
    'content-length': info.size,
    // A rebuilt page must be seen on the next reload.
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': contentPolicyHeader,
    'referrer-policy': 'no-referrer',
    ...(isIsolated ? isolation : {}),
  });
  if (request.method === 'HEAD') return response.end();
  const stream = createReadStream(file);
  stream.on('error', () => response.destroy());
  return stream.pipe(response);
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port 0 = any free one
 * @returns {Promise<number>} the port it listens on
 */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port the first to try; the next hundred are tried when it is taken
 */
async function listenFrom(server, port) {
  if (port === 0) return listen(server, 0);
  for (let candidate = port; candidate < port + 100 && candidate <= 65535; candidate++) {
    try {
      return await listen(server, candidate);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new CommandError(`Ports ${port} to ${port + 99} are taken: name a free one with --port.`);
}

/**
 * Serves a folder on localhost until `close` is called.
 * @param {{ folder: string; port?: number; basePath?: string; isIsolated?: boolean }} options `port` 0 (default) = any free
 *   one; `basePath` begins and ends with a slash; `isIsolated` (default false) = cross-origin isolated
 * @returns {Promise<{ url: string; port: number; close: () => Promise<void> }>}
 */
export async function serveFolder({ folder, port = 0, basePath = '/', isIsolated = false }) {
  const server = createServer((request, response) => {
    answer({ folder, basePath, isIsolated }, request, response).catch(() => response.destroy());
  });
  const taken = await listenFrom(server, port);
  return {
    url: `http://localhost:${taken}${basePath}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
