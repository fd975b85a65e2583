import type { RecordedTranscript } from '../../src/notebook/recordedTranscripts';
import type { Transcript } from '../../src/protocol/trainerApi';

/** Episodes of one iteration that a recording keeps; a turn takes about 300 bytes of the file. */
const maxOfIteration = 8;

/**
 * Episodes of the first, a middle and the last iteration that told any, at most eight of each, arms in turn so that every arm is
 * seen; oldest first.
 */
export function sampleOf(transcripts: readonly Transcript[]): readonly RecordedTranscript[] {
  const iterations = [...new Set(transcripts.map(({ iteration }) => iteration))].toSorted(
    (a, b) => a - b,
  );
  const middle = iterations[Math.floor(iterations.length / 2)];
  const kept = new Set([iterations.at(0), middle, iterations.at(-1)]);
  return iterations
    .filter((iteration) => kept.has(iteration))
    .flatMap((iteration) =>
      spread(transcripts.filter((episode) => episode.iteration === iteration)),
    )
    .map((episode) => Object.assign({ spikingAgents: [] }, episode));
}

/** The first episode of every arm, then the second of every arm, … */
function spread(episodes: readonly Transcript[]): readonly Transcript[] {
  const arms = [...new Set(episodes.map(({ arm }) => arm))];
  const byArm = arms.map((name) => episodes.filter(({ arm }) => arm === name));
  const rounds = Array.from({ length: maxOfIteration }, (_, round) =>
    byArm.flatMap((ofArm) => ofArm.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, maxOfIteration);
}
