import type { Notebook } from '../notebook';
import { drMasNotebook } from './drMas';
import { nullControlNotebook } from './nullControl';
import { mGrpoNotebook } from './mGrpo';
import { stableDesignsNotebook } from './stableDesigns';
import { tourNotebook } from './tour';

/** A finished notebook as it is written, before its runs. */
export interface GalleryNotebook {
  /** Name of its file, without the ending: lower case and hyphens. */
  readonly id: string;
  /** What a reader learns from it, in one sentence. */
  readonly summary: string;
  readonly notebook: Notebook;
}

/** In the order in which the page offers them; a visitor who brings nothing sees the first. */
export const galleryNotebooks: readonly GalleryNotebook[] = [
  tourNotebook,
  nullControlNotebook,
  drMasNotebook,
  mGrpoNotebook,
  stableDesignsNotebook,
];
