import type { NotebookClaim, RunStorage } from '../../storage/storageApi';
import type { NotebookWriter } from './runKeeper';

interface WriterClaims {
  readonly writerOf: (id: string) => NotebookWriter;
  /** Asks to be the writer of a notebook, once. */
  readonly need: (id: string) => void;
  readonly takeOver: (id: string) => void;
  /** Gives all others back. */
  readonly keepOnly: (ids: readonly string[]) => void;
}

/** Whether this tab keeps the notebooks that it has to do with: the one on the page and the one before it. */
export function createWriterClaims(
  storage: Pick<RunStorage, 'claimNotebook'>,
  onChange: (id: string) => void,
): WriterClaims {
  /** Null while the browser has not answered. */
  const claims = new Map<string, NotebookClaim | null>();
  const ask = async (id: string): Promise<void> => {
    const claim = await storage.claimNotebook(id);
    if (!claims.has(id)) {
      claim.release();
      return;
    }
    claims.set(id, claim);
    claim.onChange(() => onChange(id));
    onChange(id);
  };
  return {
    writerOf(id) {
      const claim = claims.get(id) ?? null;
      if (claim === null) return 'unknown';
      return claim.isWriter() ? 'thisTab' : 'otherTab';
    },
    need(id) {
      if (claims.has(id)) return;
      claims.set(id, null);
      // Resolves always: a browser without locks lets every tab write.
      void ask(id);
    },
    takeOver: (id) => claims.get(id)?.takeOver(),
    keepOnly(ids) {
      for (const [id, claim] of claims) {
        if (ids.includes(id)) continue;
        claim?.release();
        claims.delete(id);
      }
    },
  };
}
