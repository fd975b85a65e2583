import { strFromU8, strToU8, unzipSync } from 'fflate';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { expect, expectTypeOf, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import { specHash } from '../config/specHash';
import type { RunRecording } from '../notebook/recording';
import { writeArchive } from './archive';
import type { Fingerprint } from '../config/fingerprintSchema';
import { parseArchive } from './parseArchive';
import { anyTranscript } from './testing/anyTranscript';
import { fuzzRuns } from './testing/fuzzRuns';
import { sampleArchive } from './testing/sampleArchive';
import { writeZip } from './writeZip';

const sample = writeArchive(sampleArchive());

function faults(zip: Uint8Array): string[] {
  const parsed = parseArchive(zip);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

/** The sample with files replaced, added, or (null) left out. */
function changed(changes: Readonly<Record<string, string | Uint8Array | null>>): Uint8Array {
  const files = new Map<string, Uint8Array>(Object.entries(unzipSync(sample)));
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) files.delete(name);
    else files.set(name, typeof content === 'string' ? strToU8(content) : content);
  }
  return writeZip(files);
}

test('a run comes back as it was, and writes the same bytes again', () => {
  const parsed = parseArchive(sample);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  expect(parsed.value).toEqual(sampleArchive());
  expect(Buffer.compare(writeArchive(parsed.value), sample)).toBe(0);
});

test('the order in which a specification was put together changes no byte', () => {
  const { version, ...rest } = defaultSpec;
  const again = writeArchive({ ...sampleArchive(), spec: { ...rest, version } });
  expect(Buffer.compare(again, sample)).toBe(0);
});

test('whatever was told comes back', () => {
  const event = fc.record({
    iteration: fc.nat(),
    kind: fc.stringMatching(/^[a-z][A-Za-z]{0,31}$/),
    detail: fc.string(),
  });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 3 }),
      fc.array(anyTranscript, { maxLength: 2 }),
      (events, transcripts) => {
        const archive = { ...sampleArchive(), events, transcripts };
        const zip = writeArchive(archive);
        const parsed = parseArchive(zip);
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
        expect(parsed.value.events).toEqual(events);
        expect(parsed.value.transcripts).toEqual(transcripts);
        expect(Buffer.compare(writeArchive(parsed.value), zip)).toBe(0);
      },
    ),
    { numRuns: Math.ceil(fuzzRuns.numRuns / 10) },
  );
});

test('other programs find what the README says', async () => {
  const files = unzipSync(sample);
  expect(Object.keys(files)).toEqual(Object.keys(files).toSorted());
  expect(JSON.parse(strFromU8(files['manifest.json']!))).toEqual({
    format: 'marlbook-archive',
    schemaVersion: 1,
    specHash: specHash(defaultSpec),
  });
  expect(JSON.parse(strFromU8(files['spec.json']!))).toEqual(defaultSpec);
  expect(strFromU8(files['README.txt']!)).toContain(defaultSpec.title);
  const rows = await parquetReadObjects({ file: files['metrics.parquet']!.buffer });
  expect(rows).toEqual([{ iteration: 0, arm: 'global', seed: 0n, agent: 'team', success: NaN }]);
  for (const name of Object.keys(files))
    expect(strFromU8(files['README.txt']!)).toContain(name.split('/').at(-1)!);
});

test('the fingerprint is the one that recordings have', () => {
  expectTypeOf<Pick<RunRecording, 'date' | 'versions' | 'device'>>().toExtend<Fingerprint>();
  expectTypeOf<Fingerprint['versions']>().toExtend<RunRecording['versions']>();
});

test('an archive of another version is refused before anything else, with what to do', () => {
  const manifest = '{"format":"marlbook-archive","schemaVersion":2,"somethingNew":1}';
  expect(faults(changed({ 'manifest.json': manifest, 'new.bin': 'x', 'spec.json': null }))).toEqual(
    [
      'manifest.json.schemaVersion: 2 came, this page reads 1: open the archive with the Marlbook that wrote it, or a newer one.',
    ],
  );
});

const folder = 'checkpoints/router/global/0';
const text = (name: string): string => strFromU8(unzipSync(sample)[name]!);

test.each([
  ['another archive', { 'manifest.json': null }, /^manifest\.json: Is missing: this is no archive/],
  ['a missing file', { 'events.jsonl': null }, /^events\.jsonl: Is missing/],
  ['an unknown file', { 'run.exe': 'x' }, /^run\.exe: No file of an archive/],
  ['a file beside a checkpoint', { [`${folder}/pickle.bin`]: 'x' }, /pickle\.bin: No file/],
  [
    'a changed experiment',
    { 'spec.json': text('spec.json').replace('120', '121') },
    /^manifest\.json\.specHash: .* one of them was changed/,
  ],
  [
    'a specification with a fault',
    { 'spec.json': text('spec.json').replace('"iterations": 120', '"iterations": -1') },
    /^spec\.json\.iterations: -1 came/,
  ],
  [
    'a repeated key',
    { 'spec.json': text('spec.json').replace('{', '{"version":1,') },
    /^spec\.json\.version: The key came twice/,
  ],
  [
    'a reserved key',
    { 'notebook.json': '{"cells":[{"__proto__":{}}]}' },
    /^notebook\.json\.cells\.0\.__proto__: .*reserved/,
  ],
  ['a notebook that is none', { 'notebook.json': '[]' }, /^notebook\.json: A list of 0 came/],
  [
    'an event with a fault',
    { 'events.jsonl': '{"iteration":0,"kind":"Notice","detail":""}\n' },
    /^events\.jsonl\.line 1\.kind/,
  ],
  [
    'a cut transcript',
    { 'transcripts.jsonl': '{"arm"' },
    /^transcripts\.jsonl: The last line does not end/,
  ],
  [
    'a fingerprint with more',
    { 'fingerprint.json': text('fingerprint.json').replace('{', '{"ip":"1",') },
    /^fingerprint\.json\.ip/,
  ],
  ['another CSV', { 'metrics.csv': 'a,b\r\n' }, /^metrics\.csv: Does not begin/],
  [
    'another Parquet',
    { 'metrics.parquet': 'PAR1' + 'x'.repeat(9) },
    /^metrics\.parquet: Is no Parquet/,
  ],
  [
    'half a checkpoint',
    { [`${folder}/model.safetensors`]: null },
    /^checkpoints\/router\/global\/0\.model\.safetensors/,
  ],
  [
    'a checkpoint of no policy',
    { 'checkpoints/other/global/0/config.json': '{}' },
    /no policy other/,
  ],
  [
    'a checkpoint of no seed',
    { 'checkpoints/router/global/9/config.json': '{}' },
    /no run of global with seed 9/,
  ],
  [
    'a config that asks for a large model',
    {
      [`${folder}/config.json`]: text(`${folder}/config.json`).replace(
        '"vocab_size": 5',
        '"vocab_size": 60000',
      ),
    },
    /too few for the/,
  ],
])('%s is refused with its place', (_what, changes, message) => {
  expect(faults(changed(changes)).join('\n')).toMatch(message);
});

test('a hostile archive is refused with the first few of its faults', () => {
  const strangers = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, '']));
  expect(faults(changed(strangers)).length).toBeLessThan(60);
  const keys = Array.from({ length: 500 }, (_, i) => `"x${i}":0`).join();
  expect(faults(changed({ 'manifest.json': `{${keys}}` })).length).toBeLessThan(60);
});

test('−0 where a whole number stands is 0, so that what was read can be written', () => {
  const transcripts = text('transcripts.jsonl').replace('"seed":0', '"seed":-0');
  const events = text('events.jsonl').replace('"iteration":0', '"iteration":-0');
  const zip = changed({ 'transcripts.jsonl': transcripts, 'events.jsonl': events });
  expect(Buffer.compare(zip, sample)).not.toBe(0);
  const parsed = parseArchive(zip);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  expect(Buffer.compare(writeArchive(parsed.value), sample)).toBe(0);
});

test('a run that could not be read back is not written', () => {
  const archive = sampleArchive();
  const [transcript] = archive.transcripts;
  const transcripts = [{ ...transcript!, taskStart: 'k'.repeat(5000) }];
  expect(() => writeArchive({ ...archive, transcripts })).toThrow(
    /cannot be archived: transcripts\.jsonl\.line 1\.taskStart/,
  );
  const fingerprint = { ...archive.fingerprint, date: 'yesterday' };
  expect(() => writeArchive({ ...archive, fingerprint })).toThrow(
    /fingerprint\.json\.date: "yesterday" came, expected a date and time in UTC/,
  );
  expect(() => writeArchive({ ...archive, notebook: JSON.parse('{"__proto__":1}') })).toThrow(
    /notebook\.json\.__proto__: .*reserved/,
  );
});

test('a writer that is given nonsense says so', () => {
  const archive = sampleArchive();
  const [checkpoint] = archive.checkpoints;
  expect(() => writeArchive({ ...archive, checkpoints: [checkpoint!, checkpoint!] })).toThrow(
    /came twice/,
  );
  expect(() => writeArchive({ ...archive, spec: { ...archive.spec, iterations: -1 } })).toThrow(
    /cannot be archived: iterations/,
  );
});

test('a damaged archive is a run or issues, never an exception', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const zip = sample.slice();
        for (const [at, byte] of changes) zip[at] = byte;
        const parsed = parseArchive(zip);
        expect(parsed.ok || parsed.issues.length > 0).toBe(true);
      },
    ),
    fuzzRuns,
  );
});
