import { isPlainObject, type PlainObject } from './dataPath';
import {
  commonLoss,
  defaultFailureTags,
  defaultGroups,
  defaultPulses,
  noAlignment,
  noDiagnostics,
} from './defaults';

/**
 * Version 1 has grown: a document written before a setting existed says nothing about it. Here such a document gets the value
 * that describes what it did then. Kept for ever; the golden links in the tests are documents of every age.
 * @param data plain data, valid or not; returned as it is where nothing is missing
 */
export function withLaterSettings(data: unknown): unknown {
  if (!isPlainObject(data)) return data;
  return withoutEmptyList(withDiagnostics(withKindOfEstimator(withKindOfLoss(data))));
}

/** 0.1: the only loss was the clipped surrogate, without a penalty, in one minibatch; every policy learned. */
function withKindOfLoss(data: PlainObject): PlainObject {
  const { loss, estimator, policies } = data;
  if (!isPlainObject(loss) || Object.hasOwn(loss, 'kind')) return data;
  return {
    ...data,
    loss: { kind: 'clip', ...commonLoss, ...loss },
    estimator: isPlainObject(estimator) ? { ...noAlignment, ...estimator } : estimator,
    policies: isPlainObject(policies) ? withNoneFrozen(policies) : policies,
  };
}

/** 0.2: the only estimators were those over groups of fresh, parallel rollouts. */
function withKindOfEstimator(data: PlainObject): PlainObject {
  const { estimator, loss, groups } = data;
  if (!isPlainObject(estimator) || Object.hasOwn(estimator, 'kind')) return data;
  const { sampling, staleIterations } = defaultGroups.parallel;
  return {
    pulses: defaultPulses.none,
    failureTags: defaultFailureTags.none,
    ...data,
    estimator: { kind: 'group', ...estimator },
    loss: isPlainObject(loss) ? { ...commonLoss, ...loss } : loss,
    groups: isPlainObject(groups) ? { sampling, staleIterations, ...groups } : groups,
  };
}

/** 0.4: nothing was measured on top. 0.5: nobody was blamed. */
function withDiagnostics(data: PlainObject): PlainObject {
  const { version, diagnostics } = data;
  if (version !== 1) return data;
  if (!Object.hasOwn(data, 'diagnostics')) return { ...data, diagnostics: noDiagnostics };
  if (!isPlainObject(diagnostics) || Object.hasOwn(diagnostics, 'blame')) return data;
  return { ...data, diagnostics: { ...diagnostics, blame: noDiagnostics.blame } };
}

/** No interventions are told by silence, as before there were any. */
function withoutEmptyList(data: PlainObject): PlainObject {
  const { interventions, ...rest } = data;
  return Array.isArray(interventions) && interventions.length === 0 ? rest : data;
}

function withNoneFrozen(policies: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(policies).map(([id, policy]) => [
      id,
      isPlainObject(policy) ? { isFrozen: false, ...policy } : policy,
    ]),
  );
}
