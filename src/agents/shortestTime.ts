/** Timing goes on until this has been spent, or so many calls. */
const [longestMs, mostCalls] = [500, 3];

/**
 * Shortest of some calls, after one that compiles and fills caches. Unit: ms.
 * @param now milliseconds of wall time
 */
export async function shortestTime(
  call: () => Promise<unknown>,
  now: () => number,
): Promise<number> {
  await call();
  const startMs = now();
  let shortest = Infinity;
  let count = 0;
  do {
    const beforeMs = now();
    await call();
    shortest = Math.min(shortest, now() - beforeMs);
    count += 1;
  } while (count < mostCalls && now() - startMs < longestMs);
  return shortest;
}
