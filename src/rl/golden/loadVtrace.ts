import type { ValueTrace } from '../valueTrace';
import type { VtraceOptions } from '../vtrace';
import { casesOf, toNumber, toNumbers, type Case, type Json } from './cases';

interface VtraceCase extends Case {
  readonly trace: ValueTrace;
  /** [T] π/μ */
  readonly ratios: Float64Array;
  readonly options: VtraceOptions;
  readonly targets: Float64Array;
  readonly advantages: Float64Array;
}

function limitOf(json: Json | undefined, path: string): number | null {
  return json === null ? null : toNumber(json, path);
}

/**
 * V-trace of an independent implementation. The file gives a discount per step: one value throughout, or 0 where an
 * episode ends, which is what `terminated` says here.
 */
export function loadVtrace(): VtraceCase[] {
  return casesOf('vtrace').map(({ id, tolerance, input, expected }) => {
    const discounts = toNumbers(input['discounts'], `${id}.discounts`);
    const gamma = Math.max(...discounts);
    if (discounts.some((discount) => discount !== gamma && discount !== 0))
      throw new RangeError(`${id}.discounts has more than one discount beside 0.`);
    const bootstrapValue = toNumber(input['bootstrap'], `${id}.bootstrap`);
    return {
      id,
      tolerance,
      trace: {
        rewards: toNumbers(input['rewards'], `${id}.rewards`),
        values: toNumbers(input['values'], `${id}.values`),
        terminated: Uint8Array.from(discounts, (discount) => (discount === 0 ? 1 : 0)),
        truncated: new Uint8Array(discounts.length),
        // Read at the last step only: NaN elsewhere would show in the results.
        bootstrapValues: discounts.map((_discount, step) =>
          step === discounts.length - 1 ? bootstrapValue : NaN,
        ),
      },
      ratios: toNumbers(input['rho'], `${id}.rho`),
      options: {
        gamma,
        traceLambda: toNumber(input['lam'], `${id}.lam`),
        clipRho: limitOf(input['clip_rho'], `${id}.clip_rho`),
        clipC: limitOf(input['clip_c'], `${id}.clip_c`),
        clipPgRho: limitOf(input['clip_pg_rho'], `${id}.clip_pg_rho`),
      },
      targets: toNumbers(expected['vs'], `${id}.vs`),
      advantages: toNumbers(expected['pg_advantages'], `${id}.pg_advantages`),
    };
  });
}
