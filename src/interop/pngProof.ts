import { strToU8 } from 'fflate';
import { crc32 } from '../config/crc32';
import { parseProof, proofJson, proofKeyword, type FigureProof } from './figureProof';
import { issuesUnder, refusal, type Parsed } from './parsed';
import { strictUtf8 } from './utf8';

/** A proof in an `iTXt` chunk of a PNG figure. PNG specification, third edition, 5 (chunks), 11.3.3.4 (iTXt). */

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Length, name and CRC. Unit: bytes. */
const frameSize = 12;

const maxFileBytes = 256 * 1024 * 1024;
const maxChunks = 100_000;

const criticalChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
/** Chunks for texts of any program. */
const textChunks: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf']);

interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
  /** Behind its CRC. */
  readonly end: number;
}

/**
 * The figure with the proof behind its header. Throws RangeError for bytes that are no PNG, or that carry text already: nobody could
 * tell which is true.
 */
export function pngWithProof(png: Uint8Array, proof: FigureProof): Uint8Array<ArrayBuffer> {
  const chunks = readChunks(png);
  if (typeof chunks === 'string')
    throw new RangeError(`The figure cannot carry its proof: ${chunks}`);
  const other = chunks.find(({ name }) => textChunks.has(name));
  if (other !== undefined)
    throw new RangeError(`The figure has a text already (${other.name}): draw it again.`);
  const headerEnd = chunks[0]?.end ?? signature.length;
  const chunk = proofChunk(proof);
  const carrying = new Uint8Array(png.length + chunk.length);
  carrying.set(png.subarray(0, headerEnd));
  carrying.set(chunk, headerEnd);
  carrying.set(png.subarray(headerEnd), headerEnd + chunk.length);
  return carrying;
}

/** Behind the keyword: its end, not compressed (flag and method), no language, no translated keyword. */
const plainText = [0, 0, 0, 0, 0];

function proofChunk(proof: FigureProof): Uint8Array {
  const data = [...strToU8(proofKeyword), ...plainText, ...strToU8(proofJson(proof))];
  const chunk = Uint8Array.from([0, 0, 0, 0, ...strToU8('iTXt'), ...data, 0, 0, 0, 0]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  view.setUint32(chunk.length - 4, crc32(chunk.subarray(4, -4)));
  return chunk;
}

/**
 * The proof that a figure carries, or why it is not read: damaged (every CRC is checked), not a whole PNG, no text or another text
 * than ours. Pixels are not decoded. Never throws.
 */
export function readPngProof(png: Uint8Array): Parsed<FigureProof> {
  if (png.length > maxFileBytes)
    return refusal('', `${png.length} bytes came, expected at most ${maxFileBytes}.`);
  const chunks = readChunks(png);
  if (typeof chunks === 'string') return refusal('', chunks);
  const texts = chunks.filter(({ name }) => textChunks.has(name));
  const [chunk] = texts;
  if (chunk === undefined)
    return refusal(
      'iTXt',
      'Is missing: the figure was not exported here, or a program has removed it.',
    );
  const prefix = [...strToU8(proofKeyword), ...plainText];
  const isOurs = chunk.name === 'iTXt' && prefix.every((byte, i) => chunk.data[i] === byte);
  if (texts.length > 1 || !isOurs) return refusal(chunk.name, 'Is of another program.');
  const text = strictUtf8(chunk.data.subarray(prefix.length));
  if (text === null) return refusal('iTXt', 'Is not UTF-8 text.');
  const proof = parseProof(text);
  return proof.ok ? proof : { ok: false, issues: issuesUnder('iTXt', proof.issues) };
}

/** All chunks from IHDR to IEND, or in words what is wrong. */
function readChunks(png: Uint8Array): readonly Chunk[] | string {
  if (signature.some((byte, i) => png[i] !== byte)) return 'No PNG figure.';
  const chunks: Chunk[] = [];
  let at = signature.length;
  while (at < png.length) {
    const chunk = readChunk(png, at);
    if (typeof chunk === 'string') return chunk;
    const isFirst = chunks.length === 0;
    if (isFirst !== (chunk.name === 'IHDR'))
      return 'The header is not the first chunk, or there twice.';
    if (chunks.length === maxChunks) return `More than ${maxChunks} chunks came.`;
    chunks.push(chunk);
    at = chunk.end;
    if (chunk.name === 'IEND') break;
  }
  if (chunks.at(-1)?.name !== 'IEND') return 'The figure was cut off.';
  return at === png.length ? chunks : 'Bytes follow the end of the figure.';
}

function readChunk(png: Uint8Array, at: number): Chunk | string {
  if (at + frameSize > png.length) return 'The figure was cut off.';
  const view = new DataView(png.buffer, png.byteOffset + at);
  const length = view.getUint32(0);
  const end = at + frameSize + length;
  if (end > png.length) return 'The figure was cut off.';
  const name = String.fromCodePoint(...png.subarray(at + 4, at + 8));
  if (!/^[A-Za-z]{4}$/.test(name)) return 'A chunk has no name.';
  // A capital first letter says that whoever does not know the chunk cannot read the file.
  if (/^[A-Z]/.test(name) && !criticalChunks.has(name)) return `The chunk ${name} is not known.`;
  if (view.getUint32(length + 8) !== crc32(png.subarray(at + 4, end - 4)))
    return `The chunk ${name} is damaged: its CRC is another.`;
  return { name, data: png.subarray(at + 8, end - 4), end };
}
