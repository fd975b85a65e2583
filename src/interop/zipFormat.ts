/**
 * The part of ZIP that archives here are written in, and all that is read: one disk, no encryption, no ZIP64, no data descriptors,
 * stored or deflated. PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end record).
 */

/** Little-endian; where each field stands, from the start of its record. */
export const localHeader = {
  signature: 0x04034b50,
  size: 30,
  flags: 6,
  method: 8,
  time: 10,
  crc: 14,
  nameLength: 26,
  extraLength: 28,
} as const;

export const centralHeader = {
  signature: 0x02014b50,
  size: 46,
  versionNeeded: 6,
  flags: 8,
  method: 10,
  time: 12,
  crc: 16,
  packedSize: 20,
  fullSize: 24,
  nameLength: 28,
  extraLength: 30,
  commentLength: 32,
  offset: 42,
} as const;

export const endRecord = {
  signature: 0x06054b50,
  size: 22,
  disk: 4,
  entriesHere: 8,
  entries: 10,
  directorySize: 12,
  directoryOffset: 16,
  commentLength: 20,
} as const;

export const stored = 0;
export const deflated = 8;

/** Names are UTF-8. The only flag that is read. */
export const utf8Flag = 0x0800;

/** What an archive may unpack to; checked before anything is inflated. */
export const zipLimits = {
  /** Two files for each policy of 64 replicas, and some. */
  maxEntries: 2048,
  /** All files together. Unit: bytes. */
  maxTotalBytes: 512 * 1024 * 1024,
  /** Unpacked ÷ packed, of any file of more than `smallBytes`. Deflate itself reaches 1032; our texts stay below 100. */
  maxRatio: 250,
  /** A file up to this size is no bomb, however small it was packed. */
  smallBytes: 64 * 1024,
} as const;

export type ZipLimits = { readonly [K in keyof typeof zipLimits]: number };

export function isTooPacked(fullSize: number, packedSize: number, limits: ZipLimits): boolean {
  return fullSize > limits.smallBytes && fullSize > limits.maxRatio * packedSize;
}
