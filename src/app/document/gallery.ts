import { create } from 'zustand';
import type { GalleryEntry } from '../../notebook/gallery/galleryIndex';
import type { ParsedNotebookFile } from '../../notebook/notebookFile';
import type { SpecIssue } from '../../config/specIssue';
import { allDesks } from '../desks';
import { openNotebook, refuse } from '../openDocument';
import { useDocument } from './documentStore';

interface Gallery {
  /** Null until the list is there. */
  readonly entries: readonly GalleryEntry[] | null;
  readonly issues: readonly SpecIssue[];
  /** Id of the notebook that is being fetched. */
  readonly isOpening: string | null;
}

export const useGallery = create<Gallery>(() => ({ entries: null, issues: [], isOpening: null }));

/** Fetches the list, once. */
export async function listGallery(): Promise<readonly GalleryEntry[]> {
  const { entries } = useGallery.getState();
  if (entries !== null) return entries;
  const { galleryEntries } = await import('./galleryFiles');
  const listed = await galleryEntries();
  if (listed.ok) useGallery.setState({ entries: listed.entries, issues: [] });
  else useGallery.setState({ issues: listed.issues });
  return listed.ok ? listed.entries : [];
}

async function fetchNotebook(entry: GalleryEntry): Promise<ParsedNotebookFile> {
  const { galleryNotebook } = await import('./galleryFiles');
  return galleryNotebook(entry);
}

/** Opens a notebook of the gallery with its recorded results, or says why not. Nothing runs. */
export async function openFromGallery(entry: GalleryEntry): Promise<void> {
  useGallery.setState({ isOpening: entry.id });
  const parsed = await fetchNotebook(entry);
  useGallery.setState({ isOpening: null });
  const source = `The notebook “${entry.title}”`;
  if (parsed.ok) openNotebook(parsed, source);
  else refuse(source, parsed.issues);
}

/** The first notebook of the gallery, for a visitor who brought none; not where something was done meanwhile. */
export async function openFirstNotebook(): Promise<void> {
  const [first] = await listGallery();
  if (first === undefined) return;
  const parsed = await fetchNotebook(first);
  const { history } = useDocument.getState();
  const isUntouched =
    history.past.length === 0 && allDesks().every(({ run }) => run.getState().phase === 'idle');
  if (parsed.ok && isUntouched) openNotebook(parsed, `The notebook “${first.title}”`, false);
}
