/**
 * [k] positions before which a line must be broken. A metric is logged every iteration, or every few (evaluation); a
 * step longer than the line's usual one is a hole in the data, and a line drawn across it would invent points.
 * Usual = median step; half a step more is tolerated, so a last evaluation off the beat does not matter.
 */
export function breaksIn(iterations: Int32Array): number[] {
  if (iterations.length < 3) return [];
  const steps = iterations.subarray(1).map((iteration, index) => iteration - iterations[index]!);
  // Nothing to search where every step is the first one.
  if (steps.every((step) => step === steps[0])) return [];
  const usual = steps.toSorted()[steps.length >> 1]!;
  const breaks: number[] = [];
  for (const [index, step] of steps.entries()) if (step > 1.5 * usual) breaks.push(index + 1);
  return breaks;
}
