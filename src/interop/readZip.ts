import { Inflate } from 'fflate';
import { crc32 } from '../config/crc32';
import { refusal, type Parsed, type Refusal } from './parsed';
import { strictUtf8 } from './utf8';
import {
  centralHeader,
  deflated,
  endRecord,
  isTooPacked,
  localHeader,
  stored,
  utf8Flag,
  type ZipLimits,
} from './zipFormat';
import { zipNameFault } from './zipNames';

/** One file, as the central directory describes it. */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly fullSize: number;
  /** Of its local header. */
  readonly offset: number;
  /** Of the fields that local and central header must share. */
  readonly shared: Uint8Array;
}

/**
 * The files of an archive by name, or why it is not opened. Everything is checked before the first byte is inflated: number of
 * files, sizes and ratios as declared, names, and that the files fill the archive one after another, so that none hides behind another
 * (overlapping entries are how a small archive unpacks to petabytes). Inflating stops at the declared size, and the CRC must agree.
 * Never throws.
 */
export function readZip(
  zip: Uint8Array,
  limits: ZipLimits,
): Parsed<ReadonlyMap<string, Uint8Array>> {
  if (zip.length > limits.maxTotalBytes)
    return refusal(
      '',
      `The archive has ${zip.length} bytes, expected at most ${limits.maxTotalBytes}.`,
    );
  const directory = readDirectory(zip, limits);
  if (!directory.ok) return directory;
  const fault = limitFault(directory.value, limits);
  if (fault !== null) return fault;
  const files = new Map<string, Uint8Array>();
  for (const entry of directory.value) {
    const bytes = unpack(zip, entry);
    if (typeof bytes === 'string') return refusal(entry.name, bytes);
    files.set(entry.name, bytes);
  }
  return { ok: true, value: files };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readDirectory(zip: Uint8Array, { maxEntries }: ZipLimits): Parsed<readonly Entry[]> {
  const end = zip.length - endRecord.size;
  const view = viewOf(zip);
  if (end < 0 || view.getUint32(end, true) !== endRecord.signature)
    return refusal(
      '',
      'No ZIP archive, or one that was cut off or has a comment: export it again.',
    );
  const numEntries = view.getUint16(end + endRecord.entries, true);
  const size = view.getUint32(end + endRecord.directorySize, true);
  const start = view.getUint32(end + endRecord.directoryOffset, true);
  const isOneDisk =
    view.getUint32(end + endRecord.disk, true) === 0 &&
    view.getUint16(end + endRecord.entriesHere, true) === numEntries &&
    view.getUint16(end + endRecord.commentLength, true) === 0;
  if (!isOneDisk || start + size !== end)
    return refusal('', 'The directory of the archive is not where it says: export it again.');
  if (numEntries > maxEntries)
    return refusal('', `The archive has ${numEntries} files, expected at most ${maxEntries}.`);
  return readEntries(zip.subarray(0, end), start, numEntries);
}

/** @param zip up to the end of its directory, which begins at `start` */
function readEntries(zip: Uint8Array, start: number, numEntries: number): Parsed<readonly Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let at = start;
  let offset = 0;
  for (let i = 0; i < numEntries; i++) {
    const entry = readEntry(zip, at);
    if (typeof entry === 'string') return refusal(`files.${i}`, entry);
    if (seen.has(entry.name.toLowerCase()))
      return refusal(entry.name, 'Is there twice, by name or but for its case.');
    seen.add(entry.name.toLowerCase());
    const gap = localFault(zip.subarray(0, start), entry, offset);
    if (gap !== null) return refusal(entry.name, gap);
    offset += localHeader.size + entry.name.length + entry.packedSize;
    at += centralHeader.size + entry.name.length;
    entries.push(entry);
  }
  if (offset !== start || at !== zip.length)
    return refusal('', 'The archive holds bytes that belong to none of its files.');
  return { ok: true, value: entries };
}

/** The entry of the directory at a place, or what is wrong with it. */
function readEntry(zip: Uint8Array, at: number): Entry | string {
  if (at + centralHeader.size > zip.length) return 'The directory ends too early.';
  const view = viewOf(zip.subarray(at));
  if (view.getUint32(0, true) !== centralHeader.signature) return 'Is no entry of a directory.';
  const nameLength = view.getUint16(centralHeader.nameLength, true);
  const nameStart = at + centralHeader.size;
  if (nameStart + nameLength > zip.length) return 'The name ends after the directory.';
  const name = strictUtf8(zip.subarray(nameStart, nameStart + nameLength));
  if (name === null) return 'The name is not UTF-8.';
  const fault = zipNameFault(name);
  // Faulty names are quoted, never printed raw: they may hold control characters.
  if (fault !== null) return `${JSON.stringify(name.slice(0, 100))} has ${fault}.`;
  const method = view.getUint16(centralHeader.method, true);
  const flags = view.getUint16(centralHeader.flags, true);
  if ((flags & ~utf8Flag) !== 0 || (method !== stored && method !== deflated))
    return `${name} is encrypted, streamed or packed by another method than deflate: pack it again.`;
  if (view.getUint32(centralHeader.extraLength, true) !== 0)
    return `${name} has extra fields or a comment: pack it again without.`;
  return {
    name,
    method,
    crc: view.getUint32(centralHeader.crc, true),
    packedSize: view.getUint32(centralHeader.packedSize, true),
    fullSize: view.getUint32(centralHeader.fullSize, true),
    offset: view.getUint32(centralHeader.offset, true),
    shared: zip.subarray(at + centralHeader.flags, at + centralHeader.extraLength),
  };
}

/** What is wrong with the local header, which must stand right behind the file before and say the same. */
function localFault(files: Uint8Array, entry: Entry, expected: number): string | null {
  const { name, offset, packedSize, shared } = entry;
  if (offset !== expected)
    return `Begins at ${offset}, expected ${expected}: files must follow one another.`;
  const dataStart = offset + localHeader.size + name.length;
  if (dataStart + packedSize > files.length) return 'Ends behind the files of the archive.';
  const header = files.subarray(offset, dataStart);
  const view = viewOf(header);
  const isSame =
    view.getUint32(0, true) === localHeader.signature &&
    view.getUint16(localHeader.extraLength, true) === 0 &&
    shared.every((byte, i) => byte === header[localHeader.flags + i]) &&
    strictUtf8(header.subarray(localHeader.size)) === name;
  return isSame
    ? null
    : 'Its two headers differ: one program would read another file than the next.';
}

function limitFault(entries: readonly Entry[], limits: ZipLimits): Refusal | null {
  const total = entries.reduce((sum, { fullSize }) => sum + fullSize, 0);
  if (total > limits.maxTotalBytes)
    return refusal('', `Unpacks to ${total} bytes, expected at most ${limits.maxTotalBytes}.`);
  for (const { name, method, fullSize, packedSize } of entries) {
    if (method === stored && fullSize !== packedSize)
      return refusal(name, `Is stored, and says ${packedSize} and ${fullSize} bytes.`);
    if (isTooPacked(fullSize, packedSize, limits))
      return refusal(
        name,
        `Unpacks ${packedSize} bytes to ${fullSize}, expected at most ${limits.maxRatio} times as many: no file of ours is packed like that.`,
      );
  }
  return null;
}

/** The file's bytes, or what is wrong. */
function unpack(zip: Uint8Array, entry: Entry): Uint8Array | string {
  const start = entry.offset + localHeader.size + entry.name.length;
  const packed = zip.subarray(start, start + entry.packedSize);
  const bytes = entry.method === stored ? new Uint8Array(packed) : inflate(packed, entry.fullSize);
  if (typeof bytes === 'string') return bytes;
  return crc32(bytes) === entry.crc ? bytes : 'Is damaged: its CRC is another. Export it again.';
}

/** Packed bytes inflated at once: at most 4.3 MB come out before the size is looked at again. Fewer take ten times as long. */
const inflateStep = 4096;

function inflate(packed: Uint8Array, fullSize: number): Uint8Array | string {
  const bytes = new Uint8Array(fullSize);
  const progress = { numBytes: 0 };
  const stream = new Inflate((chunk) => {
    if (progress.numBytes + chunk.length <= fullSize) bytes.set(chunk, progress.numBytes);
    progress.numBytes += chunk.length;
  });
  try {
    for (let i = 0; i < packed.length; i += inflateStep) {
      stream.push(packed.subarray(i, i + inflateStep), i + inflateStep >= packed.length);
      if (progress.numBytes > fullSize)
        return `Unpacks to more than the ${fullSize} bytes it says.`;
    }
  } catch {
    return 'Is damaged: it does not inflate. Export it again.';
  }
  return progress.numBytes === fullSize
    ? bytes
    : `Unpacks to ${progress.numBytes} bytes, but says ${fullSize}.`;
}
