import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/**
 * Who may import whom. Left column: a folder (or `src/main.tsx`); right: the folders, files and packages that it may name
 * beside itself. A folder that does not exist yet has nothing to check; a folder that is not listed is an error.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/config': ['src/rl', 'zod', 'fflate'],
  'src/rl': [],
  'src/envs': ['src/rl'],
  'src/metrics': [],
  'src/notebook': ['src/config', 'src/metrics', 'zod', 'fflate'],
  // The page's export menu is its user. Until that is there, knip takes its public modules as entries (package.json).
  'src/interop': ['src/config', 'src/metrics', 'zod', 'fflate', 'hyparquet-writer'],
  'src/protocol': ['src/config', 'src/metrics'],
  'src/gpu': [],
  'src/kernels': ['src/rl', 'src/gpu'],
  'src/agents': ['src/config', 'src/rl', 'src/gpu', 'src/kernels', 'src/protocol', '@tensorflow'],
  'src/engine': [
    'src/config',
    'src/rl',
    'src/envs',
    'src/metrics',
    'src/protocol',
    'src/gpu',
    'src/kernels',
    'src/agents',
  ],
  workers: ['src/engine', 'src/agents', 'src/protocol', 'comlink'],
  'src/storage': ['src/config', 'src/metrics', 'src/notebook', 'src/protocol', 'zod', 'idb'],
  'src/app': [
    'src/config',
    'src/metrics',
    // The microscope works out, on the reader's side, what other estimators would have given: pure maths, the engine's own functions.
    'src/rl',
    'src/envs',
    'src/notebook',
    'src/interop',
    'src/protocol',
    'src/storage',
    // The page starts this thread by its address; what the thread is made of stays behind the door.
    'workers/trainer.worker.ts',
    'cmdk',
    'comlink',
    'react',
    'react-dom',
    'recharts',
    'zustand',
    'markdown-it',
    'katex',
    '@fontsource-variable/inter',
  ],
  'src/main.tsx': ['src/app', 'react', 'react-dom'],
};

const notSources = /\.(test|bench)\.tsx?$|(^|\/)(golden|testing)\//;

function filesOf(place: string): string[] {
  if (!existsSync(place)) return [];
  if (/\.tsx?$/.test(place)) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((file) => /\.tsx?$/.test(file) && !notSources.test(file));
}

/** A piece of syntax in ESTree form. */
type Syntax = Readonly<Record<string, unknown>>;

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  const isText =
    isSyntax(value) && value['type'] === 'Literal' && typeof value['value'] === 'string';
  // A name put together at run time cannot be checked, so it is a stray everywhere.
  return isText ? String(value['value']) : 'a name that is not a plain string';
}

/** The module that one piece of syntax names: an import or export in any form, or `new URL('…', import.meta.url)`. */
function namedBy(node: Syntax): string | undefined {
  const { type, source, callee, arguments: args } = node;
  if (type === 'ImportExpression') return textOf(source);
  if (isSyntax(source) && source['type'] === 'Literal') return textOf(source);
  const isUrl = type === 'NewExpression' && isSyntax(callee) && callee['name'] === 'URL';
  const [address, base]: readonly unknown[] = isUrl && Array.isArray(args) ? args : [];
  const isFromHere =
    isSyntax(base) && isSyntax(base['object']) && base['object']['type'] === 'MetaProperty';
  return isFromHere ? textOf(address) : undefined;
}

function namesIn(syntax: unknown): string[] {
  if (!isSyntax(syntax)) return [];
  const inside = Object.values(syntax).flatMap(namesIn);
  const name = namedBy(syntax);
  return name === undefined ? inside : [name, ...inside];
}

/** What a source refers to: packages, or paths from the repository root without `?raw` and the like. */
function referencesOf(file: string, text: string): string[] {
  return namesIn(parseSync(file, text).program).map((name) => {
    const [target = ''] = name.split('?');
    return target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
  });
}

function straysIn(place: string, file: string, text: string): string[] {
  const allowed = [place, ...(mayImport[place] ?? [])];
  return referencesOf(file, text)
    .filter((target) => !allowed.some((name) => target === name || target.startsWith(`${name}/`)))
    .map((target) => `${file} -> ${target}`);
}

for (const [place, allowed] of Object.entries(mayImport)) {
  test(`${place} imports only ${allowed.join(', ') || 'itself'}`, () => {
    const strays = filesOf(place).flatMap((file) =>
      straysIn(place, file, readFileSync(file, 'utf8')),
    );
    expect(strays).toEqual([]);
  });
}

test('everything under src has a row in the table', () => {
  const homeless = readdirSync('src')
    .map((name) => `src/${name}`)
    .filter((place) => !(place in mayImport) && place !== 'src/architecture.test.ts');
  expect(homeless).toEqual([]);
});

test('every way of naming another module is seen', () => {
  const source = [
    `import { a } from '../engine/a';`,
    `import type { B } from '../engine/b';`,
    `export { c } from '../engine/c';`,
    `export type * from "../engine/d";`,
    `import '../engine/e.css';`,
    `const f = await import('../engine/f');`,
    `new Worker(new URL('../engine/g.ts', import.meta.url), { type: 'module' });`,
    `import shader from '../engine/h.wgsl?raw';`,
    `import {\n  i,\n} from '../engine/i';`,
    `type J = import('../engine/j').J;`,
    `// import { k } from '../engine/k';`,
    `const l = "from '../engine/l'";`,
  ].join('\n');
  const seen = straysIn('src/rl', 'src/rl/probe.ts', source);
  // One stray for each line above, named by the letter that it imports; comments and texts name nothing.
  expect(seen.map((stray) => stray.replace(/^.*engine\/(\w).*$/, '$1')).toSorted()).toEqual(
    'abcdefghij'.split(''),
  );
});

test('a module whose name is put together at run time is a stray', () => {
  const source = 'const a = await import(`../engine/${name}`);';
  expect(straysIn('src/rl', 'src/rl/probe.ts', source)).toHaveLength(1);
});

test('a folder whose name begins like an allowed one is still a stray', () => {
  const source = `import { f } from '../rlExtras/f'; import z from 'zodiac';`;
  expect(straysIn('src/envs', 'src/envs/probe.ts', source)).toEqual([
    'src/envs/probe.ts -> src/rlExtras/f',
    'src/envs/probe.ts -> zodiac',
  ]);
});

test('no source switches a lint rule off', () => {
  const files = ['src', 'workers', 'e2e'].flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => join(place, name)),
  );
  const hits = files.filter((file) => /\b(ox|es)lint-disable/.test(readFileSync(file, 'utf8')));
  expect(files).toContain(join('src', 'architecture.test.ts'));
  expect(hits).toEqual([]);
});
