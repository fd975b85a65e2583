import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { standardNotebook } from '../../notebook/standardNotebook';
import { chartsOf } from './chartsOf';

test('the charts of an experiment come in the order of the document, and another has none', () => {
  const notebook = standardNotebook(presets['route-search-answer'].spec);
  expect(chartsOf(notebook, 'main').map(({ id }) => id)).toEqual([
    'norms',
    'success',
    'moment',
    'entropy',
    'kl',
    'clip',
  ]);
  expect(chartsOf(notebook, 'other')).toEqual([]);
});
