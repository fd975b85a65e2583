import { useId } from 'react';
import type { RunScope } from '../../metrics/runSeries';
import type { EpisodeFilters } from './episodes';

interface FilterBarProps {
  readonly filters: EpisodeFilters;
  readonly scope: RunScope;
  /** Newest first. */
  readonly iterations: readonly number[];
  readonly onFilter: (filters: EpisodeFilters) => void;
}

const outcomes = [
  ['any', 'Any'],
  ['solved', 'Solved'],
  ['failed', 'Failed'],
] as const;

/** An option of a select has a text only; this one stands for no restriction. */
const any = '';

/** What the list is restricted to. */
export function EpisodeFilterBar({ filters, scope, iterations, onFilter }: FilterBarProps) {
  const { agent, arm, seed, iteration } = filters;
  const change = (part: Partial<EpisodeFilters>): void => onFilter({ ...filters, ...part });
  return (
    <fieldset className="episode-filters" aria-label="Filter episodes">
      <Choice
        label="Outcome"
        value={filters.outcome}
        options={outcomes}
        onChoose={(value) => {
          const chosen = outcomes.find(([outcome]) => outcome === value);
          if (chosen) change({ outcome: chosen[0] });
        }}
      />
      <Choice
        label="Agent"
        value={agent ?? any}
        options={withAny(scope.agents)}
        onChoose={(value) => change({ agent: value === any ? null : value })}
      />
      <Choice
        label="Arm"
        value={arm ?? any}
        options={withAny(scope.arms)}
        onChoose={(value) => change({ arm: value === any ? null : value })}
      />
      <Choice
        label="Seed"
        value={seed === null ? any : String(seed)}
        options={withAny(scope.seeds.map(String))}
        onChoose={(value) => change({ seed: value === any ? null : Number(value) })}
      />
      <Choice
        label="Iteration"
        value={String(iteration)}
        options={[
          ['latest', 'Latest'],
          ['any', 'All kept'],
          ...iterations.map((kept) => [String(kept), String(kept)] as const),
        ]}
        onChoose={(value) =>
          change({ iteration: value === 'latest' || value === 'any' ? value : Number(value) })
        }
      />
    </fieldset>
  );
}

function withAny(values: readonly string[]): readonly (readonly [string, string])[] {
  return [[any, 'Any'], ...values.map((value) => [value, value] as const)];
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Value and text. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="episode-filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
