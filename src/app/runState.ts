import type { ExperimentSpec } from '../config/experimentSpec';
import type { LoggedIntervention } from '../config/loggedIntervention';
import { median } from '../metrics/median';
import type { RunRecording } from '../notebook/recording';
import {
  appendRows,
  appendTrainingTime,
  createRunSeries,
  type RunSeries,
} from '../metrics/runSeries';
import type {
  GroupRecord,
  GradientPair,
  PolicyStatus,
  Transcript,
  TrainerEvent,
  TrainerPhase,
} from '../protocol/trainerApi';
import { keepGroups } from './microscope/keptGroups';
import { keepPairs } from './diagnostics/keptPairs';
import { keepTranscripts } from './rollouts/keptTranscripts';
import { interventionText } from './steering/interventionText';
import {
  afterCommand,
  afterIntervention,
  refused,
  type CommandEvent,
  type WaitingCommand,
} from './steering/runSteering';
import { emptyThroughputLog, withTimes, withUsage, type ThroughputLog } from './throughput';

/** Where a run stands. `idle` = nothing was started since the page opened or was reset. */
export type RunPhase = 'idle' | TrainerPhase | 'paused' | 'finished' | 'stopped' | 'failed';

/** What the user asked for that the trainer has not confirmed yet. */
type RunRequest = 'pause' | 'stop';

/** Everything the page knows about the run: replaced and never changed, all but `series`. */
export interface RunState {
  readonly phase: RunPhase;
  /** What the phase is doing, in the trainer's words. */
  readonly detail: string;
  /** 0..1 of the present phase before training; null where it has no known length. */
  readonly share: number | null;
  readonly request: RunRequest | null;
  /** The configuration that is running or has run, with the changes that were asked for while it ran. */
  readonly spec: ExperimentSpec | null;
  readonly iteration: number;
  readonly policies: readonly PolicyStatus[];
  /** Owned by this state and appended to in place, so that an iteration costs its own rows only. `revision` says when. */
  readonly series: RunSeries;
  /** Number of batches in `series`: what a component watches. */
  readonly revision: number;
  /** Of the iterations that are remembered, oldest first. */
  readonly transcripts: readonly Transcript[];
  /** Likewise; a record a replica and iteration. */
  readonly groups: readonly GroupRecord[];
  /** The latest of every (arm, seed). */
  readonly gradientPairs: readonly GradientPair[];
  readonly notices: readonly string[];
  /** Settings that have changed while it ran, oldest first. */
  readonly interventions: readonly LoggedIntervention[];
  /** Commands that wait or were refused, oldest first. */
  readonly commands: readonly WaitingCommand[];
  /** Why the run failed. */
  readonly message: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Null while no iteration is being timed: before iteration 0 and across a pause. */
  readonly lastIterationAtMs: number | null;
  /** The latest iterations, oldest first. */
  readonly pace: readonly IterationPace[];
  readonly throughput: ThroughputLog;
  /** Where and when a run was recorded that came with its notebook; null for one of this page. */
  readonly recorded: RecordedOrigin | null;
}

/** Of a run that was made elsewhere or at another time. */
export type RecordedOrigin = Pick<RunRecording, 'date' | 'versions' | 'device'>;

/** One timed iteration. */
interface IterationPace {
  /** Wall time from one iteration's event to the next. */
  readonly wallMs: number;
  readonly tokens: number;
}

/** What the page itself adds to the trainer's events. */
type PageEvent =
  | { readonly kind: 'started'; readonly spec: ExperimentSpec }
  | { readonly kind: 'requested'; readonly request: RunRequest }
  | { readonly kind: 'resumed' }
  | CommandEvent
  /** The worker was ended by the user while it was still at work. */
  | { readonly kind: 'terminated' }
  /** The worker itself broke: nothing more will come from it. */
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'reset' };

export type RunEvent = TrainerEvent | PageEvent;

/** Iterations that the estimate of the remaining time looks back on. */
const paceWindow = 25;
const maxNotices = 50;

export const initialRunState: RunState = {
  phase: 'idle',
  detail: '',
  share: null,
  request: null,
  spec: null,
  iteration: 0,
  policies: [],
  series: createRunSeries(),
  revision: 0,
  transcripts: [],
  groups: [],
  gradientPairs: [],
  notices: [],
  interventions: [],
  commands: [],
  message: null,
  startedAtMs: null,
  endedAtMs: null,
  lastIterationAtMs: null,
  pace: [],
  throughput: emptyThroughputLog,
  recorded: null,
};

/** True from Run until the run has ended in any way. */
export function isActive(phase: RunPhase): boolean {
  return !['idle', 'finished', 'stopped', 'failed'].includes(phase);
}

/**
 * State after `event`. `nowMs` is when the event reached the page, on any clock that only runs forward.
 * Events of the trainer that come after the end of the run are ignored: a terminated worker may have sent them before.
 */
export function applyRunEvent(state: RunState, event: RunEvent, nowMs: number): RunState {
  if (event.kind === 'started')
    return {
      ...initialRunState,
      series: createRunSeries(),
      phase: 'preparing',
      spec: event.spec,
      startedAtMs: nowMs,
    };
  if (event.kind === 'reset') return initialRunState;
  if (!isActive(state.phase)) return state;
  if (event.kind === 'throughput')
    return { ...state, throughput: withUsage(state.throughput, event) };
  if (event.kind === 'commanded' || event.kind === 'commandRefused')
    return { ...state, commands: afterCommand(state.commands, event) };
  return event.kind === 'intervened'
    ? intervened(state, event.intervention)
    : applyWhileActive(state, event, nowMs);
}

function intervened(state: RunState, intervention: LoggedIntervention): RunState {
  const told = withNotice(state, interventionText(intervention));
  return { ...told, ...afterIntervention(state, intervention) };
}

type ActiveEvent = Exclude<
  RunEvent,
  { kind: 'started' | 'reset' | 'throughput' | 'intervened' | CommandEvent['kind'] }
>;

const phaseAfter = { completed: 'finished', stopped: 'stopped' } as const;

function applyWhileActive(state: RunState, event: ActiveEvent, nowMs: number): RunState {
  switch (event.kind) {
    case 'phase':
      return { ...state, phase: event.phase, detail: event.detail, share: event.share };
    case 'policies':
      return { ...state, policies: event.policies };
    case 'iteration':
      return applyIteration(state, event, nowMs);
    case 'notice':
      return withNotice(state, event.message);
    case 'requested':
      return { ...state, request: event.request };
    case 'paused':
      return { ...state, phase: 'paused', request: null, lastIterationAtMs: null };
    case 'resumed':
      return { ...state, phase: 'training', request: null, lastIterationAtMs: nowMs };
    case 'finished':
      return ended(state, phaseAfter[event.reason], nowMs);
    case 'terminated':
      return ended(state, 'stopped', nowMs);
    case 'failed':
    case 'crashed':
      return { ...ended(state, 'failed', nowMs), message: event.message };
  }
}

function withNotice(state: RunState, notice: string): RunState {
  return { ...state, notices: [...state.notices, notice].slice(-maxNotices) };
}

function applyIteration(
  state: RunState,
  event: Extract<TrainerEvent, { kind: 'iteration' }>,
  nowMs: number,
): RunState {
  const { rolloutMs, advantagesMs, diagnosticsMs, updateMs } = event.times;
  try {
    appendRows(state.series, event.rows);
    appendTrainingTime(
      state.series,
      event.iteration,
      rolloutMs + advantagesMs + diagnosticsMs + updateMs,
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...ended(state, 'failed', nowMs), message: error.message };
  }
  const pace =
    state.lastIterationAtMs === null
      ? state.pace
      : [...state.pace, { wallMs: nowMs - state.lastIterationAtMs, tokens: event.tokens }];
  return {
    ...state,
    phase: 'training',
    detail: '',
    share: null,
    iteration: event.iteration,
    revision: state.series.revision,
    transcripts: keepTranscripts(state.transcripts, event.transcripts),
    groups: keepGroups(state.groups, event.groups),
    gradientPairs: keepPairs(state.gradientPairs, event.gradientPairs),
    lastIterationAtMs: nowMs,
    pace: pace.slice(-paceWindow),
    throughput: withTimes(state.throughput, event),
  };
}

function ended(state: RunState, phase: RunPhase, nowMs: number): RunState {
  const commands = refused(state.commands, () => true, 'The run ended first.');
  return { ...state, phase, commands, detail: '', share: null, request: null, endedAtMs: nowMs };
}

/** Estimated time to the last iteration: running median of the iteration times × iterations left. Unit: ms. Null before it is known. */
export function etaMs(state: RunState): number | null {
  if (state.phase !== 'training' && state.phase !== 'paused') return null;
  if (state.pace.length === 0 || state.spec === null) return null;
  const typicalMs = median(state.pace.map(({ wallMs }) => wallMs));
  return typicalMs * Math.max(0, state.spec.iterations - state.iteration);
}

/** Tokens of the latest iterations over the wall time they took. Unit: tokens per second. Null before it is known. */
export function tokensPerSecond(state: RunState): number | null {
  let tokens = 0;
  let wallMs = 0;
  for (const iteration of state.pace) {
    tokens += iteration.tokens;
    wallMs += iteration.wallMs;
  }
  return wallMs > 0 ? (1000 * tokens) / wallMs : null;
}

/** Wall time of the run up to its end, or to `nowMs` while it lasts. Unit: ms. */
export function elapsedMs(state: RunState, nowMs: number): number {
  return state.startedAtMs === null ? 0 : (state.endedAtMs ?? nowMs) - state.startedAtMs;
}
