import { strToU8 } from 'fflate';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import type { RecordedTranscript } from '../notebook/recordedTranscripts';
import type { Transcript } from '../protocol/trainerApi';
import { anyTranscript } from './testing/anyTranscript';
import { fuzzRuns } from './testing/fuzzRuns';
import type { FileTranscript } from '../config/transcriptSchema';
import { parseTranscriptLines, transcriptLines } from './transcriptLines';

function faults(text: string): string[] {
  const parsed = parseTranscriptLines(strToU8(text));
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

test('the type is the trainer’s, and the recording’s', () => {
  expectTypeOf<Transcript>().toExtend<FileTranscript>();
  expectTypeOf<FileTranscript>().toExtend<Transcript>();
  expectTypeOf<FileTranscript>().toExtend<RecordedTranscript>();
});

test('episodes come back bit for bit', () => {
  fc.assert(
    fc.property(fc.array(anyTranscript, { maxLength: 3 }), (transcripts) => {
      const text = transcriptLines(transcripts);
      expect(text.split('\n')).toHaveLength(transcripts.length + 1);
      expect(parseTranscriptLines(strToU8(text))).toEqual({ ok: true, value: transcripts });
    }),
    fuzzRuns,
  );
});

const episode: FileTranscript = {
  arm: 'global',
  seed: 1,
  iteration: 2,
  task: 3,
  taskStart: 'k1 = v2',
  rollout: 4,
  turns: [],
  teamReward: NaN,
  isSolved: false,
  spikingAgents: [],
  blame: null,
};

test('a line is what people expect of JSON Lines', () => {
  expect(transcriptLines([episode])).toBe(
    '{"arm":"global","blame":null,"isSolved":false,"iteration":2,"rollout":4,"seed":1,"spikingAgents":[],"task":3,"taskStart":"k1 = v2","teamReward":"NaN","turns":[]}\n',
  );
});

test('faults are told with their line and place', () => {
  const line = transcriptLines([episode]);
  expect(faults('')).toEqual([]);
  expect(faults(line.trimEnd())).toEqual([': The last line does not end: the file was cut off.']);
  expect(faults(`${line}\n`)[0]).toMatch(/^line 2: "" came, expected JSON/);
  expect(faults(line + line.replace('"seed":1', '"seed":-1'))[0]).toMatch(/^line 2\.seed: -1 came/);
  expect(faults(line.replace('"seed":1', '"seed":1,"seed":2'))[0]).toMatch(
    /^line 1\.seed: .*twice/,
  );
  expect(faults(line.replace('"NaN"', '"nan"'))[0]).toBe(
    'line 1.teamReward: "nan" came, expected a number, or NaN, Infinity, -Infinity or -0 as text.',
  );
  expect(faults(line.replace('"arm"', '"__proto__":{},"arm"'))[0]).toMatch(/reserved/);
  expect(faults(line.replace('"arm"', '"extra":1,"arm"'))[0]).toMatch(/^line 1\.extra/);
});

test('any bytes are episodes or issues, never an exception', () => {
  const base = [...strToU8(transcriptLines([episode]))];
  const damaged = fc
    .array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 4 })
    .map((changes) => {
      const bytes = Uint8Array.from(base);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (bytes) => {
      const parsed = parseTranscriptLines(bytes);
      expect(parsed.ok || parsed.issues.length > 0).toBe(true);
    }),
    fuzzRuns,
  );
});
