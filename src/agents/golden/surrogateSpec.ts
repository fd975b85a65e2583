import type { LossSpec } from '../../config/experimentSpec';
import type { SurrogateSpec } from '../../rl/surrogateLoss';

/** The specification as `rl/surrogateLoss` takes it. `width`: the constant of the constant-length aggregation. */
export function toSurrogateSpec(spec: LossSpec, width: number): SurrogateSpec {
  const aggregation =
    spec.aggregation === 'constantLength'
      ? { kind: spec.aggregation, length: width }
      : { kind: spec.aggregation };
  switch (spec.kind) {
    case 'cispoAbsolute':
      return { kind: 'cispo', aggregation, bounds: { kind: 'absoluteHigh', high: spec.weightCap } };
    case 'cispoBand':
      return { kind: 'cispo', aggregation, bounds: { ...spec, kind: 'band' } };
    case 'clip':
    case 'gspo':
    case 'gspoToken':
    case 'sapo':
      return { ...spec, aggregation };
  }
}
