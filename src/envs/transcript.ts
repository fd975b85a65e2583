import type { WorkflowSpec } from './workflow';

/** [T] The name of each token, padding included; an id outside the vocabulary as ⟨id⟩. `tokens`: [T] ids. */
export function tokenNames(
  { vocabulary }: Pick<WorkflowSpec, 'vocabulary'>,
  tokens: Iterable<number>,
): string[] {
  return Array.from(tokens, (token) => vocabulary[token] ?? `⟨${token}⟩`);
}

/**
 * Tokens as people read them: names joined by spaces, padding left out, an id outside the vocabulary as ⟨id⟩.
 * `tokens`: [T] ids, a prompt or an action.
 */
export function describeTokens(
  spec: Pick<WorkflowSpec, 'vocabulary'>,
  tokens: Iterable<number>,
): string {
  return tokenNames(
    spec,
    [...tokens].filter((token) => token !== 0),
  ).join(' ');
}
