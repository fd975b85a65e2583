import { checkpointSchema, type CheckpointDocument } from '../config/checkpointSchema';
import type { ExperimentSpec } from '../config/experimentSpec';
import { toSpecIssues } from '../config/issueMessages';
import { parseSpec } from '../config/parseSpec';
import { canonicalJson, specHash } from '../config/specHash';
import { parseArrayFile, writeArrayFile } from './arrayFile';

/** A run between two iterations, whole: written down by the trainer, kept by the page, and given back to go on with. */
export interface RunCheckpoint extends Omit<CheckpointDocument, 'spec' | 'specHash'> {
  readonly spec: ExperimentSpec;
}

export type ParsedCheckpoint =
  | { readonly ok: true; readonly checkpoint: RunCheckpoint }
  /** Sentences for people. */
  | { readonly ok: false; readonly reason: string };

/**
 * Throws a RangeError that names the place where a number is not finite: a run cannot be gone on with from there.
 * @returns bytes that share nothing with the arrays
 */
export function writeRunCheckpoint({ spec, ...state }: RunCheckpoint): ArrayBuffer {
  const document: CheckpointDocument = {
    ...state,
    spec: canonicalJson(spec),
    specHash: specHash(spec),
  };
  return writeArrayFile(document);
}

/** Bytes from anywhere to a checkpoint whose parts fit each other, or why not. Never throws. */
export function parseRunCheckpoint(bytes: ArrayBuffer): ParsedCheckpoint {
  const file = parseArrayFile(bytes);
  if (!file.ok) return refused(file.reason);
  const parsed = checkpointSchema.safeParse(file.tree);
  if (!parsed.success) {
    const [issue] = toSpecIssues(parsed.error.issues, file.tree);
    return refused(`${issue?.path ?? ''}: ${issue?.message ?? 'Is not as expected.'}`);
  }
  const { spec: text, specHash: hash, ...state } = parsed.data;
  const spec = specOf(text);
  if (typeof spec === 'string') return refused(spec);
  if (specHash(spec) !== hash)
    return refused(`its specification has the hash ${specHash(spec)}, not ${hash}`);
  if (state.iteration > spec.iterations)
    return refused(`it stands behind iteration ${state.iteration} of ${spec.iterations}`);
  const misfit = networkMisfit(state);
  return misfit === null ? { ok: true, checkpoint: { spec, ...state } } : refused(misfit);
}

function refused(reason: string): ParsedCheckpoint {
  const sentence = reason.endsWith('.') ? reason : `${reason}.`;
  return {
    ok: false,
    reason: `The checkpoint cannot be used: ${sentence} Nothing was changed. Take another checkpoint, or start the run anew.`,
  };
}

/** The specification, or what is wrong with it. */
function specOf(text: string): ExperimentSpec | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'its specification is no JSON';
  }
  const parsed = parseSpec(data);
  if (parsed.ok) return parsed.spec;
  const [issue] = parsed.issues;
  return `its specification is not valid. ${issue?.path ?? ''}: ${issue?.message ?? ''}`;
}

type Networks = Pick<CheckpointDocument, 'policies' | 'critics'>;

/** What does not fit inside a policy or critic; null if all does. */
function networkMisfit({ policies, critics }: Networks): string | null {
  for (const [index, { policyId, replicas, parameters, numbers }] of policies.entries()) {
    const size = parameters.reduce(
      (sum, { shape }) => sum + shape.reduce((product, length) => product * length, 1),
      0,
    );
    const { reference, ...others } = numbers;
    const problem = numbersMisfit(others, replicas.length, size);
    if (problem !== null) return `policies.${index} (${policyId}): ${problem}`;
    if (numbers.corrections.length !== 2 * replicas.length)
      return `policies.${index} (${policyId}): ${numbers.corrections.length} corrections came, expected ${2 * replicas.length}`;
    if (reference !== null && reference.length !== numbers.weights.length)
      return `policies.${index} (${policyId}): ${reference.length} numbers of the reference came, expected ${numbers.weights.length}`;
  }
  for (const [index, { replicas, numParameters, numbers }] of critics.entries()) {
    const problem = numbersMisfit(numbers, replicas.length, numParameters);
    if (problem !== null) return `critics.${index}: ${problem}`;
  }
  return null;
}

interface Trained {
  readonly weights: Float32Array;
  readonly moments1: Float32Array;
  readonly moments2: Float32Array;
  readonly counts: Float32Array;
}

/** @param size of one replica */
function numbersMisfit(
  { weights, moments1, moments2, counts }: Trained,
  numReplicas: number,
  size: number,
): string | null {
  const expected = numReplicas * size;
  if (numReplicas === 0) return 'it has no replica';
  if (weights.length !== expected)
    return `${weights.length} weights came, expected ${expected} for ${numReplicas} replicas`;
  for (const [name, moments] of Object.entries({ moments1, moments2 }))
    if (moments.length !== expected) return `${moments.length} ${name} came, expected ${expected}`;
  if (moments2.some((moment) => moment < 0)) return 'a second moment is below 0';
  if (
    counts.length !== numReplicas ||
    counts.some((count) => !(Number.isInteger(count) && count >= 0))
  )
    return `expected ${numReplicas} whole counts of steps`;
  return null;
}
