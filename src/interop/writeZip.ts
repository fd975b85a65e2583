import { deflateSync, strToU8 } from 'fflate';
import { crc32 } from '../config/crc32';
import {
  centralHeader,
  deflated,
  endRecord,
  isTooPacked,
  localHeader,
  stored,
  utf8Flag,
  zipLimits,
} from './zipFormat';
import { zipNameFault } from './zipNames';

/** 1 January 1980, 0:00 in DOS format: ZIP knows no earlier time. The same for all files, so that equal files give equal bytes. */
const fixedTime = 0x0021_0000;

/** 2.0: deflate. */
const versionNeeded = 20;

interface PackedFile {
  readonly name: Uint8Array;
  readonly method: number;
  readonly packed: Uint8Array;
  readonly fullSize: number;
  readonly crc: number;
}

/**
 * A ZIP archive of the files, in the order of their names: equal files give equal bytes, whenever and wherever it is written.
 * Our own reader takes whatever this writes: a file that deflates beyond its limit of suspicion is stored as it is.
 * Throws RangeError for a name that the reader would refuse, for two names that differ in case only, and beyond the reader's sizes.
 */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  assertReadable(files);
  const packed = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => packFile(name, bytes));
  const localSize = sum(
    packed.map((file) => localHeader.size + file.name.length + file.packed.length),
  );
  const directorySize = sum(packed.map((file) => centralHeader.size + file.name.length));
  const zip = new Uint8Array(localSize + directorySize + endRecord.size);
  let offset = 0;
  let entry = localSize;
  for (const file of packed) {
    entry += writeCentral(zip, entry, file, offset);
    offset += writeLocal(zip, offset, file);
  }
  const end = new DataView(zip.buffer, localSize + directorySize);
  end.setUint32(0, endRecord.signature, true);
  end.setUint16(endRecord.entriesHere, packed.length, true);
  end.setUint16(endRecord.entries, packed.length, true);
  end.setUint32(endRecord.directorySize, directorySize, true);
  end.setUint32(endRecord.directoryOffset, localSize, true);
  return zip;
}

function sum(sizes: readonly number[], first = 0): number {
  return sizes.reduce((total, size) => total + size, first);
}

function headersSize(name: string): number {
  return localHeader.size + centralHeader.size + 2 * name.length;
}

function assertReadable(files: ReadonlyMap<string, Uint8Array>): void {
  const seen = new Set<string>();
  for (const name of files.keys()) {
    const fault = zipNameFault(name);
    if (fault !== null) throw new RangeError(`${name} cannot be a file of an archive: ${fault}.`);
    if (seen.has(name.toLowerCase()))
      throw new RangeError(`${name} is there twice, but for its case: rename one.`);
    seen.add(name.toLowerCase());
  }
  // What is larger packed is stored, so that no archive is larger than this.
  const total = sum(
    [...files].map(([name, { length }]) => length + headersSize(name)),
    endRecord.size,
  );
  if (files.size > zipLimits.maxEntries || total > zipLimits.maxTotalBytes)
    throw new RangeError(
      `${files.size} files of ${total} bytes are too many for one archive (${zipLimits.maxEntries} files, ${zipLimits.maxTotalBytes} bytes): leave out checkpoints.`,
    );
}

function packFile(name: string, bytes: Uint8Array): PackedFile {
  const smaller = deflateSync(bytes, { level: 6 });
  const isWorthIt =
    smaller.length < bytes.length && !isTooPacked(bytes.length, smaller.length, zipLimits);
  return {
    name: strToU8(name),
    method: isWorthIt ? deflated : stored,
    packed: isWorthIt ? smaller : bytes,
    fullSize: bytes.length,
    crc: crc32(bytes),
  };
}

/** Writes into `zip` and returns how many bytes. */
function writeLocal(zip: Uint8Array<ArrayBuffer>, offset: number, file: PackedFile): number {
  const view = new DataView(zip.buffer, offset, localHeader.size);
  view.setUint32(0, localHeader.signature, true);
  view.setUint16(4, versionNeeded, true);
  // From flags to the length of the name, a local header is a part of the central one.
  writeShared(view, localHeader.flags, file);
  zip.set(file.name, offset + localHeader.size);
  zip.set(file.packed, offset + localHeader.size + file.name.length);
  return localHeader.size + file.name.length + file.packed.length;
}

/** Likewise, for the file whose local header stands at `local`. */
function writeCentral(
  zip: Uint8Array<ArrayBuffer>,
  offset: number,
  file: PackedFile,
  local: number,
): number {
  const view = new DataView(zip.buffer, offset, centralHeader.size);
  view.setUint32(0, centralHeader.signature, true);
  view.setUint16(4, versionNeeded, true);
  view.setUint16(centralHeader.versionNeeded, versionNeeded, true);
  writeShared(view, centralHeader.flags, file);
  view.setUint32(centralHeader.offset, local, true);
  zip.set(file.name, offset + centralHeader.size);
  return centralHeader.size + file.name.length;
}

/** Flags, method, time, CRC, sizes and length of the name, in 20 bytes from `at`. */
function writeShared(view: DataView, at: number, file: PackedFile): void {
  view.setUint16(at, utf8Flag, true);
  view.setUint16(at + 2, file.method, true);
  view.setUint32(at + 4, fixedTime, true);
  view.setUint32(at + 8, file.crc, true);
  view.setUint32(at + 12, file.packed.length, true);
  view.setUint32(at + 16, file.fullSize, true);
  view.setUint16(at + 20, file.name.length, true);
}
