/** Keys that begin with the id of a run. A list comes after every number and text in the order of keys. */
export function allOfRun(runId: string): IDBKeyRange {
  return IDBKeyRange.bound([runId], [runId, []]);
}

/** Those of them whose second part is above a number. */
export function ofRunAfter(runId: string, number: number): IDBKeyRange {
  return IDBKeyRange.bound([runId, number + 1], [runId, []]);
}
