/**
 * Cases a fuzz test of this folder tries: 500, or what MARLBOOK_FUZZ_RUNS says. Nightly: `npm run fuzz`, with 10,000. A failure
 * prints the seed and path that repeat it.
 */
export const fuzzRuns: { readonly numRuns: number } = {
  numRuns: Number(process.env['MARLBOOK_FUZZ_RUNS'] ?? 500),
};
