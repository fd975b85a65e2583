import type { Backend, ComputeBackend, ExperimentSpec } from '../../config/experimentSpec';
import { fields } from '../../config/fields';
import { originOf, type Here } from '../recordedRun';
import { isActive, type RecordedOrigin, type RunState } from '../runState';
import type { WebgpuSupport } from '../webgpuSupport';

/** What is going to be made again, and what its reader has to know of it before. */
export interface VerificationPlan {
  /** As it stands on the page; nothing of it is changed. */
  readonly original: RunState;
  readonly originalSpec: ExperimentSpec;
  readonly origin: RecordedOrigin;
  /** What runs now: the run’s own settings, on a backend of this browser. */
  readonly spec: ExperimentSpec;
  /** Of the original: what comes after it is neither run nor compared. */
  readonly lastIteration: number;
  /** Plain facts, shown while it runs. */
  readonly remarks: readonly string[];
  /** Why the numbers may come out differently: shown before anything runs. */
  readonly warnings: readonly string[];
}

type Planned =
  | { readonly ok: true; readonly plan: VerificationPlan }
  | { readonly ok: false; readonly reason: string };

/** How to make a run again here, or why that cannot be. `support` must be known. */
export function planVerification(original: RunState, here: Here, support: WebgpuSupport): Planned {
  const { spec, phase, revision, iteration } = original;
  if (spec !== null && isActive(phase))
    return {
      ok: false,
      reason: 'The run is not over: stop it, or wait for its end, then verify it.',
    };
  if (spec === null || revision === 0)
    return {
      ok: false,
      reason:
        'The run has no numbers to compare with: run the experiment, or open a file with results.',
    };
  const origin = originOf(original, here);
  const backend = backendFor(spec.backend, origin, support);
  return {
    ok: true,
    plan: {
      original,
      originalSpec: spec,
      origin,
      spec: { ...spec, backend: backend.backend },
      lastIteration: iteration,
      remarks: lengthRemarks(spec, iteration),
      warnings: [...backend.warnings, ...versionWarnings(origin, here)],
    },
  };
}

interface ChosenBackend {
  readonly backend: Backend;
  readonly warnings: readonly string[];
}

/** The one the original ran on, where this browser has it: “fastest here” may mean another one today. */
function backendFor(asked: Backend, origin: RecordedOrigin, support: WebgpuSupport): ChosenBackend {
  const ranOn = [...new Set(origin.device.policies.map(({ backend }) => backend))];
  const [only] = ranOn;
  const wanted = asked === 'auto' && ranOn.length === 1 && only !== undefined ? only : asked;
  if (wanted === 'webgpu' && support !== 'available')
    return {
      backend: 'wasm',
      warnings: [
        `The original ran on ${name('webgpu')}, which this browser does not offer: it is made again on ${name('wasm')}. Differences of rounding are expected, and where one of them turns a sampled token, the runs part.`,
      ],
    };
  return { backend: wanted, warnings: mixedWarnings(wanted, ranOn) };
}

function mixedWarnings(wanted: Backend, ranOn: readonly ComputeBackend[]): readonly string[] {
  const list = ranOn.map(name).join(' and ');
  if (wanted === 'auto')
    return ranOn.length > 1
      ? [
          `The policies of the original ran on ${list}, whichever was faster: that is chosen anew here.`,
        ]
      : [];
  return ranOn.some((backend) => backend !== wanted)
    ? [
        `The setting says ${name(wanted)}, but the original ended on ${list}; its notices may say why. It is made again on ${name(wanted)}.`,
      ]
    : [];
}

function name(backend: Backend): string {
  return fields.backend.options[backend];
}

function versionWarnings({ versions }: RecordedOrigin, { marlbook }: Here): readonly string[] {
  return versions.marlbook === marlbook
    ? []
    : [
        `The original was made with Marlbook ${versions.marlbook}, this page is ${marlbook}: a difference may be the version’s.`,
      ];
}

function lengthRemarks({ iterations }: ExperimentSpec, last: number): readonly string[] {
  return last < iterations
    ? [
        `The original ended at iteration ${last} of ${iterations}: it is made again and compared up to there.`,
      ]
    : [];
}
