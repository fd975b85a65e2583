import type { FailureTagsSpec } from '../config/experimentSpec';
import {
  adaptFailureTags,
  failureTagScale,
  initialFailureTagState,
  scaleAdvantages,
  tallyTags,
  type FailureTagRule,
  type FailureTagState,
} from '../rl/failureTags';
import type { ScoredSteps } from './advantages';

/** SEAL's failure tags on the turns of a batch; the tags are a scripted oracle's. */

type SealSpec = Extract<FailureTagsSpec, { kind: 'seal' }>;

function ruleOf(spec: SealSpec): FailureTagRule {
  return {
    weights: new Map([
      ['pass', spec.passWeight],
      ['unreadable', spec.unreadableWeight],
      ['wrongCall', spec.wrongCallWeight],
      ['wrongContent', spec.wrongContentWeight],
    ]),
    passTags: new Set(['pass']),
    // The oracle is a script that cannot fail.
    infrastructureTags: new Set(),
    minScale: spec.minScale,
    maxScale: spec.maxScale,
  };
}

export function initialTags(spec: FailureTagsSpec): FailureTagState | null {
  return spec.kind === 'none' ? null : initialFailureTagState(ruleOf(spec));
}

/** [samples] tags of the turns of each main trajectory or invocation. */
function tagsBySample({ turns, sampleOf }: ScoredSteps): string[][] {
  const tags: string[][] = [];
  for (const [step, { judgement }] of turns.entries())
    (tags[sampleOf[step]!] ??= []).push(judgement.tag);
  return tags;
}

interface TaggedSteps {
  readonly scored: ScoredSteps;
  /** For the next iteration; null without failure tags. */
  readonly tags: FailureTagState | null;
  /** [S] factor of each step's trajectory, whether it applied to the step or not; null without failure tags. */
  readonly scales: Float64Array | null;
}

/**
 * The steps with advantages scaled by the tags of their sample under the present weights, and the weights for the next iteration.
 * @param tags null without failure tags
 */
export function applyFailureTags(
  scored: ScoredSteps,
  spec: FailureTagsSpec,
  tags: FailureTagState | null,
): TaggedSteps {
  if (spec.kind === 'none' || tags === null) return { scored, tags, scales: null };
  const rule = ruleOf(spec);
  const ofSamples = tagsBySample(scored);
  const scales = ofSamples.map((own) => failureTagScale(own, tags.weights, rule));
  const ofSteps = Float64Array.from(scored.sampleOf, (sample) => scales[sample]!);
  const advantages = scaleAdvantages(scored.advantages, ofSteps, spec.applyTo);
  const trajectoryOfSample = new Map(
    Array.from(scored.sampleOf, (sample, step) => [sample, scored.trajectoryOf[step]!]),
  );
  const tagged = ofSamples.map((turnTags, sample) => ({
    turnTags,
    reward: scored.trajectories[trajectoryOfSample.get(sample)!]!.teamReward,
  }));
  const tallies = tallyTags(tagged, rule.infrastructureTags);
  const adapted = adaptFailureTags(tags, tallies, rule, spec);
  return { scored: { ...scored, advantages }, tags: adapted, scales: ofSteps };
}
