import type { GalleryNotebook } from './gallery';
import { experiment } from './cellParts';
import { designs } from './experiments';

export const stableDesignsNotebook: GalleryNotebook = {
  id: 'stable-designs',
  summary: '',
  notebook: {
    version: 1,
    title: 'Which policy-gradient design is stable',
    cells: [experiment('designs', designs)],
    deletedExperiments: [],
  },
};
