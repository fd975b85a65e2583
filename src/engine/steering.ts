import type { ExperimentSpec, TrainingSpec } from '../config/experimentSpec';
import type { Intervention, SteeringCommand } from '../config/interventionSchema';
import type { LoggedIntervention } from '../config/loggedIntervention';
import { interventionsOf, steerTrainings, type ArmTrainings } from '../config/steering';
import { commanded } from '../config/steerSpec';
import type { PolicyApi, ReplicaHyper } from '../protocol/policyApi';
import type { Acknowledgement, TrainerEvent } from '../protocol/trainerApi';
import type { ExperimentPlan } from './cohorts';

/**
 * Settings that change while the run goes on. An intervention takes effect before the rollouts of its iteration, whether it stands in the
 * specification or was asked for meanwhile: so a run that was steered is, to the last bit, the run of the specification that it became.
 */
export interface Steering {
  /** The specification that this is a run of: as it was started, with what was asked for since. */
  spec(): ExperimentSpec;
  /** Resolves when the command has taken effect, or was refused. */
  ask(command: SteeringCommand): Promise<Acknowledgement>;
  /**
   * Lets everything take effect that is due, and tells of it. To be called before each iteration, between parts of the run; where it is
   * taken up again the first may be any, and what took effect before that is not told again.
   */
  begin(iteration: number, run: SteeredRun): Promise<ExperimentPlan>;
  /** Refuses whatever still waits, and all that comes. */
  close(): void;
}

interface SteeredRun {
  /** As it was started. */
  readonly plan: ExperimentPlan;
  /** In the order of its cohorts. */
  readonly policies: readonly PolicyApi[];
  readonly emit: (event: TrainerEvent) => void;
}

interface Asked {
  readonly command: SteeringCommand;
  readonly answer: (acknowledgement: Acknowledgement) => void;
}

const tooLate: Acknowledgement = {
  ok: false,
  reason: 'The run ended before another iteration began, so nothing was changed.',
};

function trainingsOf({ replicas }: ExperimentPlan): ArmTrainings {
  return new Map(replicas.map(({ arm, training }) => [arm, training]));
}

/** What the settings have come to, and what led there. */
interface Change {
  readonly spec: ExperimentSpec;
  readonly trainings: ArmTrainings;
  readonly log: readonly LoggedIntervention[];
  /** Commands that are obeyed, with what is said once they are. */
  readonly obeyed: readonly (readonly [Asked, LoggedIntervention])[];
}

function withEffect(
  change: Change,
  intervention: Intervention,
  by: LoggedIntervention['by'],
): readonly [Change, LoggedIntervention] {
  const { arm, path, value } = intervention;
  const steered = steerTrainings(change.trainings, { arm, path, value });
  if (!steered.ok)
    throw new TypeError(
      `The change of ${path} is not possible (parse the spec first). ${steered.issue.message}`,
    );
  const { trainings, was } = steered;
  const logged = { ...intervention, was, by };
  return [{ ...change, trainings, log: [...change.log, logged] }, logged];
}

/** Turned away at once where it is refused. */
function withCommand(change: Change, asked: Asked, iteration: number): Change {
  const after = commanded(change.spec, asked.command, iteration);
  if (!after.ok) {
    asked.answer(after);
    return change;
  }
  const [next, logged] = withEffect(change, after.intervention, 'user');
  return { ...next, spec: after.spec, obeyed: [...change.obeyed, [asked, logged]] };
}

/** The plan with other trainings. What they leave as it was is the same object. */
function steeredPlan(plan: ExperimentPlan, trainings: ArmTrainings): ExperimentPlan {
  const replicas = plan.replicas.map((replica) => {
    const training = trainings.get(replica.arm)!;
    return training === replica.training ? replica : { ...replica, training };
  });
  const hypers = plan.cohorts.map((cohort): ReplicaHyper[] => [...cohort.hypers]);
  for (const { seats, workflow, training, seed } of replicas)
    for (const [index, { cohort, slot }] of seats.entries()) {
      const { optimizer } = training.policies[policyOf(training, workflow.spec.agents[index]!)]!;
      hypers[cohort]![slot] = { seed, optimizer, loss: training.loss };
    }
  const cohorts = plan.cohorts.map((cohort, index) =>
    isSame(cohort.hypers, hypers[index]!) ? cohort : { ...cohort, hypers: hypers[index]! },
  );
  return { ...plan, replicas, cohorts };
}

function policyOf({ agents }: TrainingSpec, agent: string): string {
  return agents[agent]!.policy;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Tells the policies what to learn with; those that nothing changed for are not asked. */
async function setHypers(
  before: ExperimentPlan,
  after: ExperimentPlan,
  policies: readonly PolicyApi[],
): Promise<void> {
  await Promise.all(
    after.cohorts.map(async (cohort, index) => {
      if (cohort !== before.cohorts[index]) await policies[index]!.setHypers(cohort.hypers);
    }),
  );
}

export function createSteering(started: ExperimentSpec): Steering {
  let spec = started;
  let asked: Asked[] = [];
  let isClosed = false;
  let present: ExperimentPlan | null = null;
  return {
    spec: () => spec,
    ask: (command) =>
      new Promise((answer) => {
        if (isClosed) answer(tooLate);
        else asked.push({ command, answer });
      }),
    async begin(iteration, run) {
      const before = present ?? run.plan;
      const planned = interventionsOf(spec);
      const due = planned.filter((one) => one.iteration === iteration);
      const past = present === null ? planned.filter((one) => one.iteration < iteration) : [];
      const waiting = asked;
      asked = [];
      present = before;
      if (past.length + due.length + waiting.length === 0) return before;
      let change: Change = { spec, trainings: trainingsOf(before), log: [], obeyed: [] };
      for (const one of past) [change] = withEffect(change, one, 'spec');
      change = { ...change, log: [] };
      for (const one of due) [change] = withEffect(change, one, 'spec');
      for (const one of waiting) change = withCommand(change, one, iteration);
      ({ spec } = change);
      present = steeredPlan(before, change.trainings);
      try {
        await setHypers(before, present, run.policies);
      } catch (error) {
        for (const [{ answer }] of change.obeyed) answer(tooLate);
        throw error;
      }
      for (const intervention of change.log) run.emit({ kind: 'intervened', intervention });
      for (const [{ answer }, intervention] of change.obeyed) answer({ ok: true, intervention });
      return present;
    },
    close() {
      isClosed = true;
      for (const { answer } of asked) answer(tooLate);
      asked = [];
    },
  };
}
