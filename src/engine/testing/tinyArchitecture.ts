import type { ArchitectureSpec } from '../../config/experimentSpec';

/** The smallest policy that still has grouped queries: an update takes milliseconds. */
export const tinyArchitecture: ArchitectureSpec = {
  numLayers: 1,
  hiddenSize: 8,
  numHeads: 2,
  numKeyValueHeads: 1,
  intermediateSize: 16,
  tieEmbeddings: false,
  ropeTheta: 10_000,
};
