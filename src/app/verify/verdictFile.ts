import { exactNumberJson } from '../../config/exactNumber';
import { specHash } from '../../config/specHash';
import { tolerances } from '../../metrics/seriesTolerance';
import type { Verdict } from './verdict';
import { headline, notesOf } from './verdictText';

/** Of the layout below. */
const verdictVersion = 1;

/** The verdict as a JSON document, every series in it. Numbers that JSON lacks are texts: "NaN", "Infinity", "-Infinity", "-0". */
export function verdictFile(verdict: Verdict): string {
  const { plan, comparison, ending, again } = verdict;
  const document = {
    format: 'marlbook-verdict',
    version: verdictVersion,
    result: headline(verdict),
    notes: notesOf(verdict),
    title: plan.originalSpec.title,
    specHash: specHash(plan.originalSpec),
    backendAgain: plan.spec.backend,
    iterations: { planned: plan.lastIteration, compared: comparison.lastIteration },
    ending,
    counts: comparison.counts,
    numValues: comparison.numValues,
    numIdentical: comparison.numIdentical,
    numNotRecorded: comparison.numNotRecorded,
    tolerances,
    original: plan.origin,
    again,
    series: comparison.series,
  };
  return `${JSON.stringify(document, exactNumber, 1)}\n`;
}

function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? exactNumberJson(value) : value;
}
