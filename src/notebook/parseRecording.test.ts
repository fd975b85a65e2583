import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeRecording } from './encodeRecording';
import { pack, packFloat64, packInt32 } from './packedColumns';
import { packTranscripts } from './recordedTranscripts';
import { parseRecording } from './parseRecording';
import { sampleRecording } from './testing/sampleRecording';

const encoded = encodeRecording(sampleRecording());
const group = encoded.groups[0]!;

function issuesOf(data: unknown): readonly { readonly path: string; readonly message: string }[] {
  const parsed = parseRecording(data);
  return parsed.ok ? [] : parsed.issues;
}

const [head] = sampleRecording().transcripts;
const change = {
  iteration: 2,
  arm: null,
  path: 'loss.entropyCoef',
  value: 0.1,
  was: [0],
  by: 'user',
};
const strangers = packTranscripts([{ ...head!, arm: 'nobody' }]);

test.each<[string, object, string, string]>([
  ['another version', { version: 2 }, 'version', '2 came'],
  ['an unknown key', { extra: 1 }, 'extra', 'remove it'],
  ['a specification that is none', { spec: { version: 1 } }, 'spec.title', 'expected'],
  ['a hash of something else', { specHash: '0123456789abcdef' }, 'specHash', 'changed after'],
  ['more iterations than planned', { iterations: 9 }, 'iterations', 'at most the 3'],
  ['a date in words', { date: 'yesterday' }, 'date', 'yesterday'],
  ['an unknown metric', { metrics: ['gradNorms'] }, 'metrics.0', 'the nearest is gradNorm'],
  ['an axis that is not there', { groups: [{ ...group, axis: 9 }] }, 'groups.0.axis', '9 came'],
  [
    'axes that their iterations do not fill',
    { axes: Array.from({ length: 9999 }, () => 4) },
    'iterationsOfAxes',
    'bytes',
  ],
  ['numbers cut off', { values: packFloat64(Float64Array.of(1)) }, 'values', '8 bytes came'],
  ['numbers that are no text', { values: 7 }, 'values', '7 came'],
  ['a bomb', { values: pack(new Uint8Array(30_000_000)) }, 'values', 'more than the'],
  ['episodes that are no JSON', { transcripts: pack(Uint8Array.of(1)) }, 'transcripts', 'not JSON'],
  [
    'an episode of an arm that did not run',
    { transcripts: strangers },
    'transcripts.0.arm',
    'nobody',
  ],
  [
    'iterations that fall',
    { iterationsOfAxes: packInt32(Int32Array.of(3, 1, 1, 2, 3, 0, 1, 2, 3)) },
    'axes.0',
    'rise',
  ],
  ['iterations after the last', { iterations: 2 }, 'axes.0', 'at most 2'],
  ['an empty list of changes', { interventions: [] }, 'interventions', '1 or more'],
  [
    'a change in an iteration that never began',
    { interventions: [{ ...change, iteration: 5 }] },
    'interventions.0.iteration',
    'at most 4',
  ],
  [
    'a change in an arm that did not run',
    { interventions: [{ ...change, arm: 'nobody' }] },
    'interventions.0.arm',
    'no such arm',
  ],
  [
    'a change by nobody',
    { interventions: [{ ...change, by: 'ghost' }] },
    'interventions.0.by',
    'user or spec',
  ],
])('%s is refused with its place', (_what, changes, path, words) => {
  const issues = issuesOf({ ...encoded, ...changes });
  expect(issues.map((issue) => issue.path)).toContain(path);
  expect(issues.find((issue) => issue.path === path)?.message).toContain(words);
});

/** Not everything that JSON lacks, but what the sample has: NaN. */
function packedEpisode(episode: object): string {
  const text = JSON.stringify([episode], (_key, value: unknown) =>
    Number.isNaN(value) ? 'NaN' : value,
  );
  return pack(new TextEncoder().encode(text));
}

const fair = { share: 1, origins: [-1, -1], influence: [0.25, 0.75], handedOn: [0, 0] };

test.each([
  ['of too few turns', []],
  ['of more turns than there are', [fair, fair]],
  ['of another number of tokens', [{ ...fair, origins: [-1] }]],
  ['on a turn by itself', [{ ...fair, origins: [-1, 0] }]],
  ['before the task', [{ ...fair, origins: [-2, -1] }]],
  ['over 1', [{ ...fair, share: 2 }]],
  ['below 0', [{ ...fair, influence: [-1, 2] }]],
  ['that is no number', [{ ...fair, handedOn: [0, 'much'] }]],
])('blame %s is refused with its place', (_what, turns) => {
  const blame = { method: 'gradNorm', turns };
  const episodes = packedEpisode({ ...head!, blame });
  const issues = issuesOf({ ...encoded, transcripts: episodes });
  expect(issues.map(({ path }) => path)).toEqual(['transcripts']);
  expect(issues[0]?.message).toContain('0.blame');
});

test('an episode from before anybody was blamed has no blame', () => {
  const { blame, ...before } = head!;
  expect(blame).not.toBeNull();
  const episodes = packedEpisode(before);
  const parsed = parseRecording({ ...encoded, transcripts: episodes });
  expect(parsed.ok && parsed.recording.transcripts[0]?.blame).toBeNull();
});

test.each<[string, object, string]>([
  ['arm', { arm: 'nobody' }, 'groups.0.arm'],
  ['seed', { seed: 3 }, 'groups.0.seed'],
  ['agent', { agent: 'router' }, 'groups.0.agent'],
  ['level', { agent: 'team' }, 'groups.0.metrics.0'],
  ['repetition', { agent: 'verifier' }, 'groups.1.metrics.0'],
])('a line with a wrong %s is refused with its place', (_what, changes, path) => {
  const groups = [{ ...group, ...changes }, ...encoded.groups.slice(1)];
  expect(issuesOf({ ...encoded, groups }).map((issue) => issue.path)).toContain(path);
});

test('the number of values is limited before anything is unpacked', () => {
  const metrics = Array.from({ length: 256 }, () => 'gradNorm');
  const groups = Array.from({ length: 2000 }, () => ({ ...group, axis: 2, metrics }));
  const paths = issuesOf({ ...encoded, groups }).map((issue) => issue.path);
  expect(paths).toEqual(['groups', 'values']);
});

test('keys of prototypes are refused, and no object gets them', () => {
  const hostile = `{"__proto__":{"polluted":1},${JSON.stringify(encoded).slice(1)}`;
  expect(issuesOf(JSON.parse(hostile)).map((issue) => issue.path)).toEqual(['__proto__']);
  const inEpisodes = pack(
    new TextEncoder().encode('[{"__proto__":{"polluted":1},"constructor":2}]'),
  );
  expect(issuesOf({ ...encoded, transcripts: inEpisodes })).toHaveLength(1);
  expect('polluted' in {}).toBe(false);
});

test('whatever stands in one place of a file, the parser answers and never throws', () => {
  const text = JSON.stringify(encoded);
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.constantFrom('__proto__', Infinity, -1, 2 ** 40, '', null, [[]]),
  );
  const keys = Object.keys(encoded);
  fc.assert(
    fc.property(fc.constantFrom(...keys), anything, (key, value) => {
      const parsed = parseRecording({ ...JSON.parse(text), [key]: value });
      expect(parsed.ok || parsed.issues.length > 0).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a file with some characters changed is read as another one or refused, never half', () => {
  const text = JSON.stringify(encoded);
  const at = fc.nat(text.length - 1);
  fc.assert(
    fc.property(at, fc.constantFrom('0', '9', 'A', 'z', '-', '"', '{'), (position, char) => {
      const changed = text.slice(0, position) + char + text.slice(position + 1);
      let data: unknown;
      try {
        data = JSON.parse(changed);
      } catch {
        return;
      }
      const parsed = parseRecording(data);
      // Four replicas × (two agents × two metrics + success).
      const isWhole = parsed.ok ? parsed.recording.lines.length === 20 : parsed.issues.length > 0;
      expect(isWhole).toBe(true);
    }),
    { numRuns: 500 },
  );
});
