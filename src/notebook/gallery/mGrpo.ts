import type { GalleryNotebook } from './gallery';
import { experiment } from './cellParts';
import { planExecute } from './experiments';

export const mGrpoNotebook: GalleryNotebook = {
  id: 'm-grpo',
  summary: '',
  notebook: {
    version: 1,
    title: 'M-GRPO',
    cells: [experiment('plan', planExecute)],
    deletedExperiments: [],
  },
};
