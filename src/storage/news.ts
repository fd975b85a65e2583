import * as z from 'zod/mini';
import { countSchema } from '../config/schemaParts';
import { storedIdSchema } from './runRow';
import type { StorageNews } from './storageApi';

/** The part of a BroadcastChannel that is used here: what is posted reaches the other tabs. */
export type NewsChannel = Pick<
  BroadcastChannel,
  'postMessage' | 'addEventListener' | 'removeEventListener' | 'close'
>;

export const newsChannelName = 'marlbook.storage';

const newsSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('runSaved'),
    runId: storedIdSchema,
    notebookId: storedIdSchema,
    lastSavedIteration: z.nullable(countSchema),
  }),
  z.strictObject({ kind: z.literal('runDeleted'), runId: storedIdSchema }),
  z.strictObject({
    kind: z.literal('notebookSaved'),
    notebookId: storedIdSchema,
    savedAt: z.number(),
  }),
  z.strictObject({ kind: z.literal('notebookDeleted'), notebookId: storedIdSchema }),
]);

/** Tells other tabs what was written, and hears what they tell. Messages of another kind come from another version: passed over. */
export interface News {
  tell(news: StorageNews): void;
  listen(listener: (news: StorageNews) => void): () => void;
  close(): void;
}

/** @param channel null where the browser has none: nobody is told */
export function createNews(channel: NewsChannel | null): News {
  let isOver = false;
  return {
    tell(news) {
      if (!isOver) channel?.postMessage(news);
    },
    listen(listener) {
      const hear = ({ data }: MessageEvent<unknown>): void => {
        const parsed = newsSchema.safeParse(data);
        if (parsed.success) listener(parsed.data);
      };
      channel?.addEventListener('message', hear);
      return () => channel?.removeEventListener('message', hear);
    },
    close() {
      isOver = true;
      channel?.close();
    },
  };
}
