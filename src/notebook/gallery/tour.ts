import type { GalleryNotebook } from './gallery';
import { experiment } from './cellParts';
import { smallTeam } from './experiments';

export const tourNotebook: GalleryNotebook = {
  id: 'tour',
  summary: '',
  notebook: {
    version: 1,
    title: 'A first tour',
    cells: [experiment('team', smallTeam)],
    deletedExperiments: [],
  },
};
