import { expect, test } from 'vitest';
import type { ClaimQuantity, ClaimStatement } from './claimCell';
import { statementText } from './claimText';
import { referenceText } from './referenceText';

const success: ClaimQuantity = {
  kind: 'quantity',
  arm: 'agentWise',
  agent: 'team',
  metric: 'success',
  statistic: 'last',
};

const claim: ClaimStatement = {
  kind: 'compare',
  left: success,
  relation: 'atLeast',
  right: { ...success, arm: 'global' },
  inAtLeast: 4,
};

test('a statement in words', () => {
  expect(statementText(claim, 5)).toBe(
    'success of agentWise, last, ≥ success of global, last, in at least 4 of 5 seeds',
  );
  expect(statementText(claim, 0)).toBe(
    'success of agentWise, last, ≥ success of global, last, in at least 4 seeds',
  );
});

test('a number of an agent, compared with a constant over all seeds', () => {
  const left: ClaimQuantity = {
    ...success,
    agent: 'search',
    metric: 'gradNorm',
    statistic: 'peak',
  };
  const { inAtLeast: _, ...once } = claim;
  const constant: ClaimStatement = {
    ...once,
    left,
    relation: 'less',
    right: { kind: 'constant', value: 12.5 },
  };
  expect(statementText(constant, 5)).toBe(
    'gradient norm of search in agentWise, peak, < 12.5, over all seeds',
  );
});

test('a label that begins with a sign or a capital of its own keeps it', () => {
  const left: ClaimQuantity = { ...success, agent: 'search', metric: 'approxKl' };
  expect(statementText({ ...claim, left }, 5)).toContain('KL to the old policy of search in');
});

test('a live value in words', () => {
  expect(
    referenceText({ kind: 'arm', experiment: 'drmas', arm: 'agentWise', statistic: 'spikes' }),
  ).toBe(
    'spikes of the gradient norm, all agents and all seeds, of arm agentWise in experiment drmas',
  );
  expect(
    referenceText({
      kind: 'metric',
      experiment: 'drmas',
      arm: 'global',
      agent: 'search',
      metric: 'entropy',
      statistic: 'iqm',
    }),
  ).toBe(
    'Entropy of search: interquartile mean over seeds of the last finite values, of arm global in experiment drmas',
  );
});
