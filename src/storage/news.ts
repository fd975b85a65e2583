import * as z from 'zod/mini';
import { countSchema } from '../config/schemaParts';
import { storedIdSchema } from './runRow';
import type { StorageNews } from './storageApi';

/** What is posted reaches the other tabs. */
export interface NewsChannel {
  post(message: unknown): void;
  /** Returns how to end that. */
  listen(listener: (message: unknown) => void): () => void;
  close(): void;
}

/** A channel of the browser; null where it has none. */
export function openNewsChannel(name: string): NewsChannel | null {
  if (!('BroadcastChannel' in globalThis)) return null;
  const channel = new BroadcastChannel(name);
  return {
    post: channel.postMessage.bind(channel),
    listen(listener) {
      const hear = ({ data }: MessageEvent<unknown>): void => listener(data);
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
    close: () => channel.close(),
  };
}

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
      if (!isOver) channel?.post(news);
    },
    listen(listener) {
      const end = channel?.listen((message) => {
        const parsed = newsSchema.safeParse(message);
        if (parsed.success) listener(parsed.data);
      });
      return () => end?.();
    },
    close() {
      isOver = true;
      channel?.close();
    },
  };
}
