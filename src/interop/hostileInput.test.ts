import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpecIssue } from '../config/specIssue';
import { fuzzedParsers } from './testing/fuzzedParsers';
import { fuzzRuns } from './testing/fuzzRuns';

/**
 * A stranger's file must not stop the page. A case takes some milliseconds; what
 * grows out of hand takes far longer than a busy machine makes it. Unit: ms.
 */
const maxMs = 10_000;
/** What one case may leave allocated at its end, with everything it read. Unit: bytes. */
const maxBytes = 512 * 1024 * 1024;

/** What people can read: a place and a reason, each of some lines, and not a thousand of them. */
const maxIssues = 110;
const maxPathLength = 600;
const maxMessageLength = 1000;

function expectReadable(issues: readonly SpecIssue[]): void {
  expect(issues.length).toBeGreaterThan(0);
  expect(issues.length).toBeLessThanOrEqual(maxIssues);
  for (const { path, message } of issues) {
    expect(path.length).toBeLessThanOrEqual(maxPathLength);
    expect(message.length).toBeGreaterThan(0);
    expect(message.length).toBeLessThanOrEqual(maxMessageLength);
  }
}

/** Names of everything that all objects and lists have in common. */
function sharedKeys(): readonly PropertyKey[] {
  return [Object.prototype, Array.prototype, Function.prototype].flatMap((shared) =>
    Reflect.ownKeys(shared),
  );
}

test.each(fuzzedParsers)(
  '$name: whatever comes is read or refused with reasons, in time, and changes nothing else',
  ({ readings }) => {
    const shared = sharedKeys();
    const counts = { read: 0, refused: 0 };
    fc.assert(
      fc.property(readings, ({ read }) => {
        const before = process.memoryUsage();
        const beginMs = performance.now();
        const result = read();
        const tookMs = performance.now() - beginMs;
        const after = process.memoryUsage();
        if (result.ok) counts.read++;
        else {
          counts.refused++;
          expectReadable(result.issues);
        }
        expect(tookMs).toBeLessThan(maxMs);
        expect(
          after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed,
        ).toBeLessThan(maxBytes);
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
      }),
      fuzzRuns,
    );
    expect(sharedKeys()).toEqual(shared);
    // Cases that are all refused at the door, or all read, would prove nothing.
    expect(counts.read).toBeGreaterThan(fuzzRuns.numRuns / 50);
    expect(counts.refused).toBeGreaterThan(fuzzRuns.numRuns / 50);
  },
);
