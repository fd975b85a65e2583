import type { BenchThread, PeerName } from './benchThread';
import type { SamplerName } from './sampling';

/** The threads' interface as their callers see it: from another thread, every call is a promise, as all of them are anyway. */
export type ThreadCalls = Pick<BenchThread, keyof BenchThread>;

/** Where a bench runs: a browser's page, or Node. */
export interface BenchHost {
  readonly peers: readonly PeerName[];
  readonly samplers: readonly SamplerName[];
  /** One line of progress. */
  note(line: string): Promise<void>;
  /** Lets `act` use so many fresh threads and ends them afterwards. */
  withThreads<T>(count: number, act: (threads: readonly ThreadCalls[]) => Promise<T>): Promise<T>;
}
