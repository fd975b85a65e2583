import type { RunScope } from '../../metrics/runSeries';
import { Choice, namedAsIs, type ChoiceOption } from '../Choice';
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
        className="episode-filter"
        label="Outcome"
        value={filters.outcome}
        options={outcomes}
        onChoose={(outcome) => change({ outcome })}
      />
      <Choice
        className="episode-filter"
        label="Agent"
        value={agent ?? any}
        options={withAny(scope.agents)}
        onChoose={(value) => change({ agent: value === any ? null : value })}
      />
      <Choice
        className="episode-filter"
        label="Arm"
        value={arm ?? any}
        options={withAny(scope.arms)}
        onChoose={(value) => change({ arm: value === any ? null : value })}
      />
      <Choice
        className="episode-filter"
        label="Seed"
        value={seed === null ? any : String(seed)}
        options={withAny(scope.seeds.map(String))}
        onChoose={(value) => change({ seed: value === any ? null : Number(value) })}
      />
      <Choice
        className="episode-filter"
        label="Iteration"
        value={String(iteration)}
        options={[['latest', 'Latest'], ['any', 'All kept'], ...namedAsIs(iterations.map(String))]}
        onChoose={(value) =>
          change({ iteration: value === 'latest' || value === 'any' ? value : Number(value) })
        }
      />
    </fieldset>
  );
}

function withAny(values: readonly string[]): readonly ChoiceOption<string>[] {
  return [[any, 'Any'], ...namedAsIs(values)];
}
