import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adpLines, fromAdp, outsideAdp, parseAdpLines, toAdp } from './adpTrajectories';
import { adpFaults } from './testing/adpFaults';
import { anyTranscript } from './testing/anyTranscript';
import { fuzzRuns } from './testing/fuzzRuns';
import type { FileTranscript, FileTurn } from '../config/transcriptSchema';

const turn: FileTurn = {
  agent: 'solver',
  turnIndex: 0,
  invocation: null,
  promptTokens: ['?', 'k1'],
  actionTokens: ['v2', '<pad>'],
  rolloutLogprobs: [-0.5, -1],
  isValid: true,
  penalty: 0,
  reward: 1,
  advantage: -0.25,
  isLearned: true,
};

const episode: FileTranscript = {
  arm: 'global',
  seed: 1,
  iteration: 2,
  task: 3,
  taskStart: 'k1 = v2',
  rollout: 4,
  turns: [
    turn,
    { ...turn, agent: 'verifier', turnIndex: 1, reward: NaN },
    { ...turn, turnIndex: 2 },
  ],
  teamReward: 1,
  isSolved: true,
  spikingAgents: [],
  blame: null,
};

function faults(text: string): string {
  const parsed = parseAdpLines(strToU8(text));
  const back = parsed.ok ? fromAdp(parsed.value) : parsed;
  return back.ok ? '' : back.issues.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

test('each agent of an episode has a trajectory: read, written, rewarded', () => {
  const trajectories = toAdp([episode], 'run7');
  expect(trajectories.map(({ id, content }) => [id, content])).toEqual([
    [
      'run7/0/solver',
      [
        { class_: 'text_observation', content: '? k1', source: 'environment' },
        { class_: 'message_action', content: 'v2 <pad>', reward: 1 },
        { class_: 'text_observation', content: '? k1', source: 'environment' },
        { class_: 'message_action', content: 'v2 <pad>', reward: 1 },
      ],
    ],
    [
      'run7/0/verifier',
      [
        { class_: 'text_observation', content: '? k1', source: 'environment' },
        // NaN is no JSON number: left out here, kept in the details.
        { class_: 'message_action', content: 'v2 <pad>' },
      ],
    ],
  ]);
});

test('all episodes are valid ADP 1.2.0 and come back exactly, in whatever order the lines are', () => {
  fc.assert(
    fc.property(fc.array(anyTranscript, { maxLength: 3 }), fc.boolean(), (transcripts, reverse) => {
      const trajectories = toAdp(transcripts, 'run7');
      const text = adpLines(reverse ? trajectories.toReversed() : trajectories);
      const lines = text.split('\n').slice(0, -1);
      expect(lines.flatMap((line) => adpFaults(JSON.parse(line)))).toEqual([]);
      const parsed = parseAdpLines(strToU8(text));
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      expect(fromAdp(parsed.value)).toEqual({ ok: true, value: transcripts });
    }),
    fuzzRuns,
  );
});

test('every field of an episode is text or reward of ADP, or named as outside of it', () => {
  const { turns, ...head } = episode;
  const inEpisode = new Set([...Object.keys(head), ...turns.flatMap((each) => Object.keys(each))]);
  expect(Object.keys(outsideAdp).toSorted()).toEqual([...inEpisode].toSorted());
});

/** The sample of the protocol's own documentation, with the fields that 1.2.0 has. */
const foreign = {
  schema_version: '1.1.0',
  id: 'example_trajectory_001',
  content: [
    { class_: 'text_observation', content: 'Sum the list.', name: null, source: 'user' },
    { class_: 'api_action', function: 'sum', kwargs: { values: [1, 2] }, description: 'add' },
    { class_: 'text_observation', content: '3', source: 'environment', reward: 0.5 },
    { class_: 'code_action', language: 'python', content: 'print(3)', description: null },
    {
      class_: 'web_observation',
      html: null,
      axtree: null,
      url: 'https://example.org',
      image_observation: { class_: 'image_observation', content: 'a.png', source: 'environment' },
      viewport_size: [1, 2],
    },
    { class_: 'message_action', content: 'It is 3.', reasoning_content: 'easy', reward: 1 },
  ],
  available_apis: ['sum'],
  details: { dataset: 'example' },
};

test('a trajectory from elsewhere is read, but is no episode', () => {
  expect(adpFaults(foreign)).toEqual([]);
  const line = `${JSON.stringify(foreign)}\n`;
  expect(parseAdpLines(strToU8(line))).toEqual({ ok: true, value: [foreign] });
  expect(faults(line)).toMatch(
    /^0\.details\.marlbook: Is missing: the trajectory was not exported here/,
  );
});

test.each([
  ['another version', { schema_version: '2.0.0' }, /^line 1\.schema_version: "2.0.0" came/],
  [
    'an older word for a source',
    { content: [{ class_: 'text_observation', content: '', source: 'user_msg' }] },
    /^line 1\.content\.0\.source: "user_msg" came/,
  ],
  [
    'an unknown class',
    { content: [{ class_: 'shell_action', content: '' }] },
    /^line 1\.content\.0\.class_: "shell_action" came, expected one of the actions and observations of ADP/,
  ],
  [
    'another field',
    { content: [{ class_: 'message_action', content: '', tool: 1 }] },
    /^line 1\.content\.0\.tool/,
  ],
  ['another field of a trajectory', { agent: 'solver' }, /^line 1\.agent/],
  [
    'a reward that is text',
    { content: [{ class_: 'message_action', content: '', reward: '1' }] },
    /^line 1\.content\.0\.reward/,
  ],
])('%s is refused by our schema and by an independent one', (_what, change, message) => {
  const wrong = { ...foreign, ...change };
  expect(faults(`${JSON.stringify(wrong)}\n`)).toMatch(message);
  expect(adpFaults(wrong)).not.toEqual([]);
});

test('what was changed apart from its details, left out or repeated is refused', () => {
  const lines = adpLines(toAdp([episode], 'run7')).split('\n');
  const [solver = '', verifier = ''] = lines;
  expect(faults(`${solver}\n${verifier}\n`)).toBe('');
  expect(
    faults(`${solver.replace('"content":"v2 <pad>"', '"content":"v3"')}\n${verifier}\n`),
  ).toMatch(/^0\.content: Says something else/);
  expect(faults(`${solver}\n`)).toMatch(/^run7\/0: A turn is missing or there twice/);
  expect(faults(`${solver}\n${verifier}\n${verifier}\n`)).toMatch(
    /^run7\/0: A turn is missing or there twice/,
  );
  expect(faults(`${solver}\n${verifier.replace('"seed":1', '"seed":2')}\n`)).toMatch(
    /^run7\/0: Its agents tell of different/,
  );
});

test('an episode whose last agent is missing is refused', () => {
  // The verifier’s one turn is the last: without it the solver’s turns have no gap.
  const short = { ...episode, turns: episode.turns.slice(0, 2) };
  const [solver = '', verifier = ''] = adpLines(toAdp([short], 'run7')).split('\n');
  expect(faults(`${solver}\n${verifier}\n`)).toBe('');
  expect(faults(`${solver}\n`)).toMatch(/^run7\/0: A turn is missing or there twice/);
});

test('episodes of two runs come back run by run', () => {
  const [a, b, c, d] = [1, 2, 3, 4].map((task) => Object.assign({}, episode, { task }));
  const trajectories = [...toAdp([a!, b!], 'run8'), ...toAdp([c!, d!], 'run7')];
  expect(fromAdp(trajectories)).toEqual({ ok: true, value: [a, b, c, d] });
});

test('a number of a trajectory from elsewhere stays one', () => {
  // As json.dumps of Python writes −0.
  const line = JSON.stringify(foreign).replace('"reward":0.5', '"reward":-0.0');
  const parsed = parseAdpLines(strToU8(`${line}\n`));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const again: unknown = JSON.parse(adpLines(parsed.value));
  expect(adpFaults(again)).toEqual([]);
});

test('any bytes are trajectories or issues, never an exception', () => {
  const base = [...strToU8(adpLines(toAdp([episode], 'run7')))];
  const damaged = fc
    .array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 4 })
    .map((changes) => {
      const bytes = Uint8Array.from(base);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (bytes) => {
      const parsed = parseAdpLines(bytes);
      const back = parsed.ok ? fromAdp(parsed.value) : parsed;
      expect(back.ok || back.issues.length > 0).toBe(true);
    }),
    fuzzRuns,
  );
});
