import type { KeptOffer } from './kept';

/** `The notebook “Norms” and its run, 57 of 200 iterations, were kept.` */
export function offerText({ title, runs }: Pick<KeptOffer, 'title' | 'runs'>): string {
  const notebook = title === '' ? 'A notebook without a title' : `The notebook “${title}”`;
  const [first] = runs;
  if (first === undefined) return `${notebook} was kept`;
  const done = `${first.iteration} of ${first.iterations} iterations`;
  return runs.length === 1
    ? `${notebook} and its run, ${done}, were kept`
    : `${notebook} and its ${runs.length} runs, the latest ${done}, were kept`;
}
