import { isPlainObject, type PlainObject } from './dataPath';
import { commonLoss, noAlignment } from './defaults';

/**
 * Version 1 has grown: a document written before a setting existed says nothing about it. Here such a document gets the value
 * that describes what it did then. Kept for ever; the golden links in the tests are documents of every age.
 * @param data plain data, valid or not; returned as it is where nothing is missing
 */
export function withLaterSettings(data: unknown): unknown {
  if (!isPlainObject(data)) return data;
  const { loss, estimator, policies } = data;
  // Before there was a choice of losses, the only one was the clipped surrogate, without a penalty, in one minibatch.
  if (!isPlainObject(loss) || Object.hasOwn(loss, 'kind')) return data;
  return {
    ...data,
    loss: { kind: 'clip', ...commonLoss, ...loss },
    estimator: isPlainObject(estimator) ? { ...noAlignment, ...estimator } : estimator,
    policies: isPlainObject(policies) ? withNoneFrozen(policies) : policies,
  };
}

function withNoneFrozen(policies: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(policies).map(([id, policy]) => [
      id,
      isPlainObject(policy) ? { isFrozen: false, ...policy } : policy,
    ]),
  );
}
