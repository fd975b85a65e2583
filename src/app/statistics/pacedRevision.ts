/** While a run trains, intervals are worked out anew every so many iterations. */
const iterationsBetween = 10;

/** The revision that intervals are shown for: the latest, or while the run trains the last multiple of ten from ten on. */
export function pacedRevision(latest: number, isTraining: boolean): number {
  const isWaiting = isTraining && latest > iterationsBetween;
  return isWaiting ? latest - (latest % iterationsBetween) : latest;
}
