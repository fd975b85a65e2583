import type { ExperimentSpec } from '../../config/experimentSpec';
import type { SteeringCommand } from '../../config/interventionSchema';
import type { LoggedIntervention } from '../../config/loggedIntervention';
import { withIntervention } from '../../config/steerSpec';

/** What a run knows of its changes: those that wait or were refused, and those that were made. */

/** A command that has not taken effect. */
export interface WaitingCommand {
  readonly id: number;
  readonly command: SteeringCommand;
  /** Why it was refused; null while it waits for the next iteration. */
  readonly refusal: string | null;
}

export type CommandEvent =
  | { readonly kind: 'commanded'; readonly id: number; readonly command: SteeringCommand }
  | { readonly kind: 'commandRefused'; readonly id: number; readonly reason: string };

/** Commands that are remembered: refused ones are read once. */
const maxCommands = 20;

export function afterCommand(
  commands: readonly WaitingCommand[],
  event: CommandEvent,
): readonly WaitingCommand[] {
  if (event.kind === 'commandRefused')
    return refused(commands, ({ id }) => id === event.id, event.reason);
  const { id, command } = event;
  return [...commands, { id, command, refusal: null }].slice(-maxCommands);
}

/** Those that wait, and are refused, with the reason. */
export function refused(
  commands: readonly WaitingCommand[],
  isRefused: (command: WaitingCommand) => boolean,
  reason: string,
): readonly WaitingCommand[] {
  return commands.map((command) =>
    command.refusal === null && isRefused(command) ? { ...command, refusal: reason } : command,
  );
}

interface SteeredRun {
  readonly spec: ExperimentSpec | null;
  readonly commands: readonly WaitingCommand[];
  readonly interventions: readonly LoggedIntervention[];
}

/** What was asked for becomes part of what ran; what stood in the specification is part of it already. */
export function afterIntervention(run: SteeredRun, intervention: LoggedIntervention): SteeredRun {
  const { iteration, arm, path, value, by } = intervention;
  const { spec, commands } = run;
  const interventions = [...run.interventions, intervention];
  if (by !== 'user' || spec === null) return { spec, commands, interventions };
  const obeyed = commands.findIndex(
    ({ command, refusal }) =>
      refusal === null && command.path === path && command.arm === arm && command.value === value,
  );
  return {
    interventions,
    commands: obeyed < 0 ? commands : commands.toSpliced(obeyed, 1),
    spec: withIntervention(spec, { iteration, arm, path, value }),
  };
}
