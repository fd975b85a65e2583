import { points, type RunSeries, type SeriesKey } from '../../metrics/runSeries';
import type { GroupRecord } from '../../protocol/trainerApi';

/** What the run logged of one agent in the whole iteration. NaN where it logged nothing. */
export interface LoggedMoments {
  readonly predicted: number;
  readonly measured: number;
}

/** [agents] of the record. */
export function loggedMoments(series: RunSeries, record: GroupRecord): LoggedMoments[] {
  const valueOf = (agent: string, metric: SeriesKey['metric']): number => {
    const { iterations, values } = points(series, { ...record, agent, metric });
    return values[iterations.indexOf(record.iteration)] ?? NaN;
  };
  return record.agents.map((agent) => ({
    predicted: valueOf(agent, 'advSecondMomentPredicted'),
    measured: valueOf(agent, 'advSecondMoment'),
  }));
}
