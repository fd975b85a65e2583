import type { GalleryNotebook } from './gallery';
import { experiment } from './cellParts';
import { actOnce } from './experiments';

export const nullControlNotebook: GalleryNotebook = {
  id: 'null-control',
  summary: '',
  notebook: {
    version: 1,
    title: 'The null control',
    cells: [experiment('once', actOnce)],
    deletedExperiments: [],
  },
};
