import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LookedUp, LiveSource } from '../../../notebook/liveValues';
import { TextView } from '../TextView';

/** Every reference leads to `found`; experiments in `stale` are stale. */
export function liveAs(found: LookedUp, stale: readonly string[] = []): LiveSource {
  return { lookup: () => found, staleExperiments: new Set(stale) };
}

/** The page's HTML for a text whose values are all 4. */
export function renderedText(
  source: string,
  live: LiveSource = liveAs({ kind: 'value', value: 4 }),
): string {
  return renderToStaticMarkup(createElement(TextView, { source, live }));
}
