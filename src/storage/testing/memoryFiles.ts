import type { CheckpointFiles } from '../checkpointFiles';
import { errorOf, type Faults } from './faults';

/** Files in memory. A write that fails leaves what was written so far behind: no browser is as careless. */
export interface MemoryFiles extends CheckpointFiles {
  readonly contents: Map<string, Uint8Array>;
}

export function createMemoryFiles(faults: Faults): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const step = async (kind: 'write' | 'remove'): Promise<void> => {
    await Promise.resolve();
    const fault = faults.next(kind);
    if (fault !== null) throw errorOf(fault);
  };
  const alive = (): void => {
    if (faults.isCrashed()) throw errorOf('crash');
  };
  return {
    contents,
    async write(name, parts) {
      await step('write');
      contents.set(name, new Uint8Array(0));
      for (const part of parts) {
        await step('write');
        const before = contents.get(name)!;
        const longer = new Uint8Array(before.length + part.length);
        longer.set(before);
        longer.set(part, before.length);
        contents.set(name, longer);
      }
      await step('write');
    },
    async read(name) {
      await Promise.resolve();
      alive();
      return contents.get(name)?.slice() ?? null;
    },
    async remove(name) {
      await step('remove');
      contents.delete(name);
    },
    async list() {
      await Promise.resolve();
      alive();
      return [...contents.keys()];
    },
  };
}
