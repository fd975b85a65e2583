import { strToU8 } from 'fflate';
import { noDiagnostics } from './defaults';
import type { DiagnosticsSpec, TrainingSpec } from './experimentSpec';

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/**
 * A name for exactly this specification: 16 hexadecimal digits, FNV-1a (64 bits) of its JSON with sorted keys. Equal on every
 * machine and whatever the order of keys. Tells runs and figures apart; it is no defence against forgery.
 *
 * Diagnostics that are off, as they are by default, are left out: a document from before there were any keeps its name. Others are
 * part of it though they change no training, because what a run reports, and what a link must carry, differs.
 */
export function specHash(spec: TrainingSpec & { readonly diagnostics: DiagnosticsSpec }): string {
  const { diagnostics, ...rest } = spec;
  const isDefault = sortedJson(diagnostics) === sortedJson(noDiagnostics);
  return fnv1a64(sortedJson(isDefault ? rest : spec));
}

function sortedJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

/** Of the text's UTF-8 bytes. Fowler, Noll, Vo, Eastlake 2019, "The FNV Non-Cryptographic Hash Algorithm". */
export function fnv1a64(text: string): string {
  let hash = offsetBasis;
  for (const byte of strToU8(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, '0');
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, withSortedKeys(entry)]));
}
