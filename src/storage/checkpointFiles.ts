/**
 * Files of bytes beside the database, by name. A file counts only once the database names it: what a crash leaves behind is a file
 * that nobody names. Everything rejects with what the browser says.
 */
export interface CheckpointFiles {
  /** Writes a new file part by part. After a rejection there may be a part of it, or nothing. */
  write(name: string, parts: Iterable<Uint8Array>): Promise<void>;
  /** Null where there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** A file that is not there is removed already. */
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
}

const folder = 'marlbook-checkpoints';

/** Files in the part of the disk that the browser keeps for this page alone: the origin private file system. */
export function browserFiles(root: () => Promise<FileSystemDirectoryHandle>): CheckpointFiles {
  const open = async (): Promise<FileSystemDirectoryHandle> =>
    (await root()).getDirectoryHandle(folder, { create: true });
  return {
    async write(name, parts) {
      const file = await (await open()).getFileHandle(name, { create: true });
      // Written beside the file and put in its place by `close`: it is never half there.
      const stream = await file.createWritable();
      try {
        for (const part of parts) await stream.write(part as Uint8Array<ArrayBuffer>);
        await stream.close();
      } catch (error) {
        await stream.abort().catch(() => undefined);
        throw error;
      }
    },
    async read(name) {
      try {
        const file = await (await (await open()).getFileHandle(name)).getFile();
        return new Uint8Array(await file.arrayBuffer());
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    async remove(name) {
      try {
        await (await open()).removeEntry(name);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    async list() {
      const names: string[] = [];
      for await (const name of (await open()).keys()) names.push(name);
      return names;
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError';
}
