import type { WorkflowSpec } from './workflow';

/**
 * Tokens as people read them: names joined by spaces, padding left out, an id outside the vocabulary as ⟨id⟩.
 * `tokens`: [T] ids, a prompt or an action.
 */
export function describeTokens(
  spec: Pick<WorkflowSpec, 'vocabulary'>,
  tokens: Iterable<number>,
): string {
  const names: string[] = [];
  for (const token of tokens) {
    if (token !== 0) names.push(spec.vocabulary[token] ?? `⟨${token}⟩`);
  }
  return names.join(' ');
}
