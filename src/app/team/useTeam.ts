import { useMemo, useState, type RefObject } from 'react';
import type { ExperimentSpec, TrainingSpec } from '../../config/experimentSpec';
import { replicasOf } from '../../config/overrides';
import { presets } from '../../config/presets';
import { createWorkflow } from '../../envs/registry';
import type { WorkflowSpec } from '../../envs/workflow';
import { useScheduledRevision } from '../charts/useScheduledRevision';
import { useRun } from '../runStore';
import { useSpec } from '../specStore';
import { teamModel, type TeamModel } from './teamModel';
import { teamNumbers, type TeamNumbers } from './teamNumbers';
import type { ParameterCounts } from './teamText';

/** What the team graph shows, from the form and from the run. */

/** The arm that the graph speaks of, and its team. */
export interface ShownTeam {
  readonly arm: string;
  readonly numSeeds: number;
  readonly team: TeamModel;
}

interface FirstArm {
  readonly arm: string;
  readonly training: TrainingSpec;
  readonly world: WorkflowSpec;
}

/** Graph and numbers are those of the first arm: arms may give a team other policies or another way of working. */
function firstArm(spec: ExperimentSpec): FirstArm | null {
  const [replica] = replicasOf(spec);
  if (replica === undefined) return null;
  const { arm, training } = replica;
  return { arm, training, world: createWorkflow(training.environment).spec };
}

/** The form's specification as it was when it last could run: while a number is being typed the graph stays. */
function useLastValidSpec(): ExperimentSpec {
  const parsed = useSpec((state) => state.parsed);
  const presetId = useSpec((state) => state.presetId);
  const [valid, setValid] = useState(() => (parsed.ok ? parsed.spec : presets[presetId].spec));
  if (!parsed.ok || parsed.spec === valid) return valid;
  setValid(parsed.spec);
  return parsed.spec;
}

export function useTeam(): ShownTeam | null {
  const spec = useLastValidSpec();
  return useMemo(() => {
    const first = firstArm(spec);
    if (first === null) return null;
    const team = teamModel(first.world, first.training);
    return { arm: first.arm, numSeeds: spec.seeds.length, team };
  }, [spec]);
}

/** Numbers of the run, and of which arm and how many seeds they are. */
export interface ShownNumbers {
  readonly arm: string;
  readonly numSeeds: number;
  readonly values: TeamNumbers;
}

const noValues: TeamNumbers = new Map();

/**
 * Of the run's first arm, at most four times a second and only while `frame` is on screen. Empty where the team that has run works in
 * another way than `team`: its numbers would say nothing about these edges.
 */
export function useTeamNumbers(team: TeamModel, frame: RefObject<Element | null>): ShownNumbers {
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const spec = useRun((state) => state.spec);
  const drawn = useScheduledRevision({ series, revision }, frame, false);
  const ran = useMemo(() => spec && firstArm(spec), [spec]);
  return useMemo(() => {
    const numSeeds = spec?.seeds.length ?? 0;
    if (!spec || !ran || !isSameGraph(teamModel(ran.world, ran.training), team))
      return { arm: '', numSeeds, values: noValues };
    const { arm, training, world } = ran;
    const scope = { arm, seeds: spec.seeds, agents: world.agents, groups: training.groups };
    return { arm, numSeeds, values: teamNumbers(drawn.series, scope) };
  }, [drawn, spec, ran, team]);
}

function isSameGraph(one: TeamModel, other: TeamModel): boolean {
  return graphKey(one) === graphKey(other);
}

function graphKey({ agents, edges }: TeamModel): string {
  return JSON.stringify([agents.map(({ agent }) => agent), edges]);
}

/** As the run's workers count them. A policy that arms give different sizes has no one number. */
export function useParameterCounts(): ParameterCounts {
  const policies = useRun((state) => state.policies);
  return useMemo(() => {
    const sizesOf = (id: string): ReadonlySet<number> =>
      new Set(
        policies
          .filter(({ policyId }) => policyId === id)
          .map(({ numParameters }) => numParameters),
      );
    return new Map(
      policies
        .filter(({ policyId }) => sizesOf(policyId).size === 1)
        .map(({ policyId, numParameters }) => [policyId, numParameters]),
    );
  }, [policies]);
}
