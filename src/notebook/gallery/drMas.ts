import type { GalleryNotebook } from './gallery';
import { experiment } from './cellParts';
import { preparedTeam, weakTeam } from './experiments';

export const drMasNotebook: GalleryNotebook = {
  id: 'dr-mas',
  summary: '',
  notebook: {
    version: 1,
    title: 'Dr. MAS against GRPO',
    cells: [experiment('prepared', preparedTeam), experiment('weak', weakTeam)],
    deletedExperiments: [],
  },
};
