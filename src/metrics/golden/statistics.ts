import { toList, toNumber, toNumbers, toRecord, type Json } from '../../rl/golden/cases';
import type { Interval } from '../percentileInterval';
import type { ScoreLine } from '../scoreLine';

/** The numbers of statistics.json, which statistics.py beside it writes. */

const files = import.meta.glob<Json>('./statistics.json', { eager: true, import: 'default' });
const golden = toRecord(files['./statistics.json'], 'statistics');

/** Relative and absolute: sums of a dozen float64 terms, against exact fractions. */
export const tolerance = 1e-12;

function section(name: string): Record<string, Json> {
  return toRecord(golden[name], name);
}

function scoresOf(json: Json | undefined, path: string): Float64Array[] {
  return toList(json, path).map((task) => toNumbers(task, path));
}

function intervalOf(json: Json | undefined, path: string): Interval {
  const [low, high] = toNumbers(json, path);
  return { low: low!, high: high! };
}

interface LevelledInterval extends Interval {
  readonly level: number;
}

function intervalsOf(json: Json | undefined, path: string): LevelledInterval[] {
  return Object.entries(toRecord(json, path)).map(([level, ends]) => {
    const { low, high } = intervalOf(ends, path);
    return { level: Number(level), low, high };
  });
}

interface AggregateCase {
  readonly scores: Float64Array[];
  /** Name in the file → number. */
  readonly expected: (name: string) => number;
}

export function loadAggregates(): AggregateCase[] {
  return toList(golden['aggregates'], 'aggregates').map((json, index) => {
    const path = `aggregates.${index}`;
    const entry = toRecord(json, path);
    return {
      scores: scoresOf(entry['scores'], path),
      expected: (name) => toNumber(entry[name], `${path}.${name}`),
    };
  });
}

/** Intervals over every ordered draw. */
export function loadListed(statistic: 'iqm' | 'mean' | 'gap'): {
  readonly scores: Float64Array[];
  readonly intervals: LevelledInterval[];
} {
  const listed = section('listed');
  return {
    scores: scoresOf(listed['scores'], 'listed'),
    intervals: intervalsOf(listed[statistic], `listed.${statistic}`),
  };
}

/** The interval of the interquartile mean over draws by `weyl`. */
export function loadDrawn(): LevelledInterval & {
  readonly scores: Float64Array[];
  readonly numResamples: number;
} {
  const drawn = section('drawn');
  return {
    scores: scoresOf(drawn['scores'], 'drawn'),
    numResamples: toNumber(drawn['num_resamples'], 'drawn'),
    level: toNumber(drawn['level'], 'drawn'),
    ...intervalOf(drawn['iqm'], 'drawn'),
  };
}

export function loadImprovement(): {
  readonly candidate: Float64Array[];
  readonly baseline: Float64Array[];
  readonly estimate: number;
  readonly intervals: LevelledInterval[];
} {
  const improvement = section('improvement');
  return {
    candidate: scoresOf(improvement['candidate'], 'improvement'),
    baseline: scoresOf(improvement['baseline'], 'improvement'),
    estimate: toNumber(improvement['estimate'], 'improvement'),
    intervals: intervalsOf(improvement['intervals'], 'improvement'),
  };
}

export function loadProfile(): {
  readonly scores: Float64Array[];
  readonly taus: Float64Array;
  readonly shares: Float64Array;
  /** One per threshold, over every ordered draw. */
  readonly bands: Interval[];
  readonly level: number;
} {
  const profile = section('profile');
  return {
    scores: scoresOf(profile['scores'], 'profile'),
    taus: toNumbers(profile['taus'], 'profile'),
    shares: toNumbers(profile['shares'], 'profile'),
    bands: toList(profile['bands'], 'profile').map((band) => intervalOf(band, 'profile')),
    level: toNumber(profile['level'], 'profile'),
  };
}

interface EfficiencyRow {
  readonly x: number;
  readonly numSeeds: number;
  readonly numNotFinite: number;
  readonly estimate: number;
  /** Over draws by `weyl`. */
  readonly interval: Interval | null;
}

function lineOf(json: Json): ScoreLine {
  const line = toRecord(json, 'efficiency.lines');
  return {
    xs: toNumbers(line['xs'], 'efficiency.xs'),
    values: toNumbers(line['values'], 'efficiency.values'),
  };
}

export function loadEfficiency(): {
  readonly tasks: ScoreLine[][];
  readonly level: number;
  readonly numResamples: number;
  readonly rows: EfficiencyRow[];
} {
  const efficiency = section('efficiency');
  return {
    tasks: toList(efficiency['lines'], 'efficiency').map((task) =>
      toList(task, 'efficiency').map(lineOf),
    ),
    level: toNumber(efficiency['level'], 'efficiency'),
    numResamples: toNumber(efficiency['num_resamples'], 'efficiency'),
    rows: toList(efficiency['rows'], 'efficiency').map((json) => {
      const row = toRecord(json, 'efficiency.rows');
      return {
        x: toNumber(row['x'], 'x'),
        numSeeds: toNumber(row['num_seeds'], 'num_seeds'),
        numNotFinite: toNumber(row['num_not_finite'], 'num_not_finite'),
        estimate: toNumber(row['estimate'], 'estimate'),
        interval: row['interval'] === null ? null : intervalOf(row['interval'], 'interval'),
      };
    }),
  };
}

export function loadSmoothing(): {
  readonly weight: number;
  readonly raw: Float64Array;
  readonly smoothed: Float64Array;
}[] {
  return toList(golden['smoothing'], 'smoothing').map((json) => {
    const entry = toRecord(json, 'smoothing');
    return {
      weight: toNumber(entry['weight'], 'weight'),
      raw: toNumbers(entry['raw'], 'raw'),
      smoothed: toNumbers(entry['smoothed'], 'smoothed'),
    };
  });
}
