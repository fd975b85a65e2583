/**
 * Cases a fuzz test of this folder tries: 500, or what MARLBOOK_FUZZ_RUNS says. Nightly:
 * `MARLBOOK_FUZZ_RUNS=10000 npx vitest run src/interop --testTimeout=600000`. A failure prints the seed and path that repeat it.
 */
export const fuzzRuns: { readonly numRuns: number } = {
  numRuns: Number(process.env['MARLBOOK_FUZZ_RUNS'] ?? 500),
};
