import {
  createPlanExecute,
  isPlanExecuteState,
  type PlanExecuteOptions,
} from './planExecute/planExecute';
import {
  createRouteSearchAnswer,
  isRouteSearchAnswerState,
  type RouteSearchAnswerOptions,
} from './routeSearchAnswer/routeSearchAnswer';
import {
  createSolveVerify,
  isSolveVerifyState,
  type SolveVerifyOptions,
} from './solveVerify/solveVerify';
import type { Workflow } from './workflow';

/** A world and its options, as the `environment` of an experiment names them. */
export type WorldOptions =
  | ({ readonly kind: 'routeSearchAnswer' } & RouteSearchAnswerOptions)
  | ({ readonly kind: 'solveVerify' } & SolveVerifyOptions)
  | ({ readonly kind: 'planExecute' } & PlanExecuteOptions);

/**
 * The world that `options` describes, with states that the caller cannot look into.
 * Its methods throw TypeError for a state of another world; RangeError for options outside their range.
 */
export function createWorkflow(options: WorldOptions): Workflow {
  switch (options.kind) {
    case 'routeSearchAnswer':
      return sealed(options.kind, createRouteSearchAnswer(options), isRouteSearchAnswerState);
    case 'solveVerify':
      return sealed(options.kind, createSolveVerify(options), isSolveVerifyState);
    case 'planExecute':
      return sealed(options.kind, createPlanExecute(options), isPlanExecuteState);
  }
}

/**
 * TypeScript would accept a `Workflow<State>` as a `Workflow<unknown>` as it is, because method parameters are bivariant;
 * then a state of another world would be read as nonsense. The guard makes the widening true.
 */
function sealed<State>(
  kind: WorldOptions['kind'],
  workflow: Workflow<State>,
  isState: (value: unknown) => value is State,
): Workflow {
  const opened = (state: unknown): State => {
    if (isState(state)) return state;
    throw new TypeError(
      `This is no state of the world ${kind}: pass what reset or apply of the same workflow returned.`,
    );
  };
  const rewards: Pick<Workflow, 'rewards'> = workflow.rewards
    ? { rewards: (state) => workflow.rewards!(opened(state)) }
    : {};
  return {
    spec: workflow.spec,
    reset: (key) => workflow.reset(key),
    pending: (state) => workflow.pending(opened(state)),
    apply: (state, call, actionTokens) => workflow.apply(opened(state), call, actionTokens),
    teamReward: (state) => workflow.teamReward(opened(state)),
    ...rewards,
    judge: (state, call, actionTokens) => workflow.judge(opened(state), call, actionTokens),
    stateTokens: (state, call) => workflow.stateTokens(opened(state), call),
    demonstrate: (state, call) => workflow.demonstrate(opened(state), call),
  };
}
