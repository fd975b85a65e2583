/** Lengths and angles of the parts that agents contribute to the gradient of a shared policy, from their inner products. */

/** One agent's part. */
export interface AgentAngles {
  readonly norm: number;
  /** Cosine with the sum of the other parts; null where there is no other. NaN where one of the two is zero. */
  readonly withRest: number | null;
  /** Cosine with each other part, by agent. */
  readonly cosines: ReadonlyMap<number, number>;
}

/**
 * In float64. Inner products say it all: p·(w − p) is the sum of the others, ‖w − p‖² the sum over all pairs of them.
 * @param agents [A]
 * @param products [A, A] inner products of the parts, symmetric
 */
export function agentAngles(
  agents: readonly number[],
  products: ArrayLike<number>,
): ReadonlyMap<number, AgentAngles> {
  const size = agents.length;
  const places = [...agents.keys()];
  const product = (i: number, j: number): number => products[i * size + j]!;
  const norm = (i: number): number => Math.sqrt(product(i, i));
  const restOf = (i: number): { inner: number; norm: number } => {
    const others = places.filter((j) => j !== i);
    const square = others.flatMap((j) => others.map((k) => product(j, k)));
    return {
      inner: others.reduce((sum, j) => sum + product(i, j), 0),
      // Rounding can leave opposite parts a sum below 0.
      norm: Math.sqrt(
        Math.max(
          0,
          square.reduce((sum, value) => sum + value, 0),
        ),
      ),
    };
  };
  return new Map(
    places.map((i) => {
      const rest = restOf(i);
      const others = places.filter((j) => j !== i);
      return [
        agents[i]!,
        {
          norm: norm(i),
          withRest: others.length === 0 ? null : rest.inner / (norm(i) * rest.norm),
          cosines: new Map(others.map((j) => [agents[j]!, product(i, j) / (norm(i) * norm(j))])),
        },
      ];
    }),
  );
}
