import { isPlainObject, joinPath } from '../config/dataPath';
import { shown } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import { issuesUnder, parsedUnless, refusal, type Parsed } from './parsed';
import { parseJsonBytes } from './strictJson';

/**
 * Reads safetensors files: 8 bytes N (u64, little-endian), N bytes of JSON, then the numbers of all tensors, packed, row-major,
 * little-endian. Format: https://github.com/huggingface/safetensors, README, “Format”.
 */

/** Bytes of one number. The one-byte and smaller float formats of newer versions are left out: no policy here is stored in them. */
const itemBytes = {
  F64: 8,
  I64: 8,
  U64: 8,
  F32: 4,
  I32: 4,
  U32: 4,
  F16: 2,
  BF16: 2,
  I16: 2,
  U16: 2,
  I8: 1,
  U8: 1,
  BOOL: 1,
} as const;

type TensorDtype = keyof typeof itemBytes;

export interface SafeTensor {
  readonly name: string;
  readonly dtype: TensorDtype;
  readonly shape: readonly number[];
  /** A view into the file: product of `shape` × size of the dtype, little-endian. */
  readonly bytes: Uint8Array;
}

export interface SafetensorsFile {
  /** In the order of their numbers in the file. */
  readonly tensors: readonly SafeTensor[];
  /** What the file says of itself, text by text. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** The size field, and what every header is padded to. Unit: bytes. */
export const safetensorsAlignment = 8;

/**
 * The reference implementation allows 100 MB. A thousand tensors take some 100 kB, and JSON of 100 MB would stop a page, so the limit
 * is lower here. Unit: bytes.
 */
const maxHeaderBytes = 1024 * 1024;

/** No policy here has more axes. */
const maxRank = 8;

interface Entry {
  readonly name: string;
  readonly dtype: TensorDtype;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

/**
 * The tensors of a file, or everything that is wrong with it. A file is taken only if its tensors cover its numbers exactly: none
 * shared, none left over, each where its dtype may stand. Never throws.
 */
export function parseSafetensors(file: Uint8Array): Parsed<SafetensorsFile> {
  const header = headerBytes(file);
  if (!header.ok) return header;
  const json = parseJsonBytes(header.value, maxHeaderBytes);
  if (!json.ok) return { ok: false, issues: issuesUnder('header', json.issues) };
  if (!isPlainObject(json.value))
    return refusal('header', `${shown(json.value)} came, expected an object of tensors by name.`);
  const { __metadata__: about = {}, ...named } = json.value;
  const numbers = file.subarray(safetensorsAlignment + header.value.length);
  const metadata = parseMetadata(about);
  const entries = Object.entries(named).map(([name, entry]) => parseEntry(name, entry));
  const faults = [metadata, ...entries].flatMap((part) => (part.ok ? [] : part.issues));
  if (faults.length > 0 || !metadata.ok) return parsedUnless(faults, noTensors);
  const placed = entries
    .flatMap((entry) => (entry.ok ? [entry.value] : []))
    .toSorted((a, b) => a.begin - b.begin || a.end - b.end);
  return parsedUnless(coverIssues(placed, numbers.length), {
    tensors: placed.map(({ name, dtype, shape, begin, end }) => ({
      name,
      dtype,
      shape,
      bytes: numbers.subarray(begin, end),
    })),
    metadata: metadata.value,
  });
}

const noTensors: SafetensorsFile = { tensors: [], metadata: new Map() };

function headerBytes(file: Uint8Array): Parsed<Uint8Array> {
  if (file.length < safetensorsAlignment)
    return refusal('', `The file has ${file.length} bytes, expected at least 8: it was cut off.`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(maxHeaderBytes))
    return refusal(
      'header',
      `The header says it has ${length} bytes, expected at most ${maxHeaderBytes}: the file is damaged, or no safetensors file.`,
    );
  const end = safetensorsAlignment + Number(length);
  if (end > file.length)
    return refusal(
      'header',
      `The header says it has ${length} bytes and ${file.length - safetensorsAlignment} follow: the file was cut off.`,
    );
  if (end % safetensorsAlignment !== 0)
    return refusal(
      'header',
      `The numbers begin at byte ${end}, expected a multiple of 8: save the file again with a current safetensors.`,
    );
  const header = file.subarray(safetensorsAlignment, end);
  if (header[0] !== '{'.charCodeAt(0))
    return refusal('header', 'The header does not begin with {: no safetensors file.');
  return { ok: true, value: header };
}

function parseMetadata(about: unknown): Parsed<ReadonlyMap<string, string>> {
  const path = 'header.__metadata__';
  if (!isPlainObject(about)) return refusal(path, `${shown(about)} came, expected texts by name.`);
  const metadata = new Map<string, string>();
  for (const [key, text] of Object.entries(about)) {
    if (typeof text !== 'string')
      return refusal(joinPath(path, key), `${shown(text)} came, expected text.`);
    metadata.set(key, text);
  }
  return { ok: true, value: metadata };
}

const entryKeys: ReadonlySet<string> = new Set(['dtype', 'shape', 'data_offsets']);

function parseEntry(name: string, entry: unknown): Parsed<Entry> {
  const path = joinPath('header', name);
  if (!isPlainObject(entry))
    return refusal(path, `${shown(entry)} came, expected { dtype, shape, data_offsets }.`);
  const stranger = Object.keys(entry).find((key) => !entryKeys.has(key));
  if (stranger !== undefined)
    return refusal(joinPath(path, stranger), 'Not part of a tensor: remove it.');
  const { dtype, shape, data_offsets: offsets } = entry;
  if (!isDtype(dtype))
    return refusal(
      `${path}.dtype`,
      `${shown(dtype)} came, expected one of ${Object.keys(itemBytes).join(', ')}.`,
    );
  if (!areCounts(shape) || shape.length > maxRank)
    return refusal(`${path}.shape`, `Expected at most ${maxRank} whole numbers from 0.`);
  if (!areCounts(offsets) || offsets.length !== 2)
    return refusal(`${path}.data_offsets`, 'Expected two whole numbers from 0: begin and end.');
  const [begin = 0, end = 0] = offsets;
  return placedEntry(path, { name, dtype, shape, begin, end });
}

function placedEntry(path: string, entry: Entry): Parsed<Entry> {
  const { dtype, shape, begin, end } = entry;
  // A product beyond 2^53 is not exact, but then it is larger than any file as well.
  const size = shape.reduce((product, length) => product * length, itemBytes[dtype]);
  if (end - begin !== size)
    return refusal(
      `${path}.data_offsets`,
      `${begin} to ${end} is ${end - begin} bytes, but [${shape.join(', ')}] of ${dtype} takes ${size}.`,
    );
  if (begin % itemBytes[dtype] !== 0)
    return refusal(
      `${path}.data_offsets`,
      `Begins at ${begin}, expected a multiple of ${itemBytes[dtype]}, the size of a ${dtype}.`,
    );
  return { ok: true, value: entry };
}

function isDtype(value: unknown): value is TensorDtype {
  return typeof value === 'string' && Object.hasOwn(itemBytes, value);
}

function areCounts(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => Number.isSafeInteger(entry) && !Object.is(entry, -0) && entry >= 0)
  );
}

/** Each tensor begins where the one before it ends, the first at 0 and the last ends with the file. */
function coverIssues(entries: readonly Entry[], numBytes: number): readonly SpecIssue[] {
  let covered = 0;
  for (const { name, begin, end } of entries) {
    const path = joinPath('header', name);
    if (begin < covered)
      return [{ path, message: `Begins at ${begin}, inside the tensor before it.` }];
    if (begin > covered)
      return [
        { path, message: `Begins at ${begin}: bytes ${covered} to ${begin} are no tensor’s.` },
      ];
    if (end > numBytes)
      return [{ path, message: `Ends at ${end}, but the file has ${numBytes} bytes of numbers.` }];
    covered = end;
  }
  return covered === numBytes
    ? []
    : [{ path: '', message: `The last ${numBytes - covered} bytes are no tensor’s.` }];
}
