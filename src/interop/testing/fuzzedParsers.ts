import { deflateSync, strToU8, unzipSync, zipSync } from 'fflate';
import fc from 'fast-check';
import { toBase64url } from '../../config/base64url';
import { presets } from '../../config/presets';
import { parseSpec } from '../../config/parseSpec';
import { decodeShareLink } from '../../config/shareLink';
import { specHash } from '../../config/specHash';
import type { SpecIssue } from '../../config/specIssue';
import { encodeNotebookFile, parseNotebookFile } from '../../notebook/notebookFile';
import { decodeNotebookLink } from '../../notebook/notebookLink';
import { parseRecording } from '../../notebook/parseRecording';
import { encodeRecording } from '../../notebook/encodeRecording';
import { sampleNotebook } from '../../notebook/testing/sampleNotebook';
import { sampleRecording } from '../../notebook/testing/sampleRecording';
import { writeArchive } from '../archive';
import { crc32 } from '../crc32';
import { parseArchive } from '../parseArchive';
import { readFigureProof } from '../readFigureProof';
import { readZip } from '../readZip';
import { parseSafetensors } from '../safetensors';
import { writeSafetensors } from '../writeSafetensors';
import { writeZip } from '../writeZip';
import { zipLimits } from '../zipFormat';
import { hostileBytes } from './hostileBytes';
import { hostileJson } from './hostileJson';
import { sampleArchive } from './sampleArchive';

/** Every parser that meets what a stranger made, with strangers' makings for it. */

type Read = { readonly ok: true } | { readonly ok: false; readonly issues: readonly SpecIssue[] };

interface FuzzedParser {
  readonly name: string;
  /** What the parser says of one input; the input in words, for when it says something wrong. */
  readonly readings: fc.Arbitrary<{ readonly read: () => Read; readonly toString: () => string }>;
}

function parser<T>(
  name: string,
  parse: (input: T) => Read,
  inputs: readonly fc.Arbitrary<T>[],
): FuzzedParser {
  return {
    name,
    readings: fc.oneof(...inputs).map((input) => ({
      read: () => parse(input),
      toString: () => described(input),
    })),
  };
}

function described(input: unknown): string {
  const text =
    input instanceof Uint8Array
      ? Buffer.from(input).toString('base64')
      : (JSON.stringify(input) ?? '');
  return text.slice(0, 2000);
}

function bytesOfJson(data: unknown): Uint8Array {
  return strToU8(JSON.stringify(data) ?? 'null');
}

function linkOf(envelope: string, bytes: Uint8Array): string {
  return envelope + toBase64url(bytes);
}

/** 4 MB of one byte, packed to some 4 kB: a bomb that fits a link. */
const bomb = deflateSync(new Uint8Array(4_000_000), { level: 9 });

/** A link to a document that was changed, or a link that was changed itself. */
function hostileLinks(envelope: string, documents: readonly unknown[]): fc.Arbitrary<string>[] {
  const packed = documents.map((document) => deflateSync(bytesOfJson(document)));
  return [
    hostileJson(documents).map((data) => linkOf(envelope, deflateSync(bytesOfJson(data)))),
    hostileBytes([...packed, bomb]).map((bytes) => linkOf(envelope, bytes)),
    hostileBytes(packed.map((bytes) => strToU8(linkOf(envelope, bytes)))).map((bytes) =>
      String.fromCharCode(...bytes),
    ),
  ];
}

const specs = Object.values(presets).map(({ spec }) => spec);
const notebook = sampleNotebook();
const recording = sampleRecording();
const notebookFile: unknown = JSON.parse(
  JSON.stringify(encodeNotebookFile({ notebook, recordings: new Map() })),
);
const recordingFrame: unknown = JSON.parse(JSON.stringify(encodeRecording(recording)));

const archive = writeArchive(sampleArchive());
const archiveFiles = Object.entries(unzipSync(archive));

/** The archive with one file changed as that kind of file can be, packed again so that sizes and sums agree. */
const repackedArchive: fc.Arbitrary<Uint8Array> = fc
  .constantFrom(...archiveFiles)
  .chain(([name, bytes]) => {
    const contents = name.endsWith('.json')
      ? hostileJson([JSON.parse(new TextDecoder().decode(bytes))]).map(bytesOfJson)
      : hostileBytes([bytes]);
    return contents.map((content) => writeZip(new Map([...archiveFiles, [name, content]])));
  });

/** Names that lead out of a folder, come twice but for their case, or are no names. */
const strangeNames = [
  '../x',
  '/etc/x',
  'a/../../x',
  'C:\\x',
  'a\\b',
  'CON',
  'A.txt',
  '',
  '.',
  'x/',
];

const zips = [
  writeZip(new Map([['a.txt', strToU8('hello '.repeat(50))]])),
  writeZip(
    new Map([
      ['a.txt', Uint8Array.of(1, 2, 3)],
      ['b/c.txt', strToU8('x')],
    ]),
  ),
  ...strangeNames.map((name) => zipSync({ 'a.txt': strToU8('x'), [name]: strToU8('y') })),
  // Zeros of 8 MB in 8 kB.
  zipSync({ 'zeros.bin': new Uint8Array(8_000_000) }, { level: 9 }),
];

const tensors = writeSafetensors(
  [
    { name: 'a.weight', shape: [2, 3], values: new Float32Array(6) },
    { name: 'b.weight', shape: [4], values: new Float32Array(4) },
  ],
  { format: 'pt' },
);
const headerEnd = 8 + Number(new DataView(tensors.buffer).getBigUint64(0, true));
const header: unknown = JSON.parse(new TextDecoder().decode(tensors.subarray(8, headerEnd)));

/** A header that says something else, of the length that it says. */
function safetensorsOf(data: unknown): Uint8Array {
  const json = bytesOfJson(data);
  const length = Math.ceil(json.length / 8) * 8;
  const file = new Uint8Array(8 + length + (tensors.length - headerEnd));
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.fill(' '.charCodeAt(0), 8, 8 + length);
  file.set(json, 8);
  return file;
}

const proof = {
  version: 1,
  link: linkOf('#v1.', deflateSync(bytesOfJson(specs[0]))),
  specHash: specHash(specs[0]!),
  seeds: [0, 1],
  marlbook: '0.5.0',
};

function svgWith(text: string): Uint8Array {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return strToU8(
    `<svg xmlns="http://www.w3.org/2000/svg"><metadata id="marlbook">${escaped}</metadata><g><text>1</text></g></svg>`,
  );
}

function pngChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = Uint8Array.from([0, 0, 0, 0, ...strToU8(name), ...data, 0, 0, 0, 0]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  view.setUint32(chunk.length - 4, crc32(chunk.subarray(4, -4)));
  return chunk;
}

/** Every sum agrees, whatever the text says. */
function pngWith(text: string): Uint8Array {
  const chunks = [
    pngChunk('IHDR', Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0)),
    pngChunk('iTXt', strToU8(`marlbook\0\0\0\0\0${text}`)),
    pngChunk('IEND', new Uint8Array()),
  ];
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return new Uint8Array(Buffer.concat([Uint8Array.from(signature), ...chunks]));
}

const proofText = JSON.stringify(proof);
const hostileProof = hostileJson([proof]).map((data) => JSON.stringify(data) ?? 'null');

export const fuzzedParsers: readonly FuzzedParser[] = [
  parser('a configuration', parseSpec, [hostileJson(specs)]),
  parser('the link of an experiment', decodeShareLink, hostileLinks('#v1.', specs)),
  parser('the link of a notebook', decodeNotebookLink, hostileLinks('#n1.', [notebook])),
  parser('a notebook file', parseNotebookFile, [hostileJson([notebookFile, notebook])]),
  parser('a recording', parseRecording, [hostileJson([recordingFrame])]),
  parser('a ZIP', (zip: Uint8Array) => readZip(zip, zipLimits), [hostileBytes(zips)]),
  parser('an archive', parseArchive, [repackedArchive, hostileBytes([archive])]),
  parser('a safetensors file', parseSafetensors, [
    hostileJson([header]).map(safetensorsOf),
    hostileBytes([tensors]),
  ]),
  parser('a figure', readFigureProof, [
    hostileProof.map(svgWith),
    hostileProof.map(pngWith),
    hostileBytes([svgWith(proofText), pngWith(proofText)]),
  ]),
];
