import type { RunSeries } from './runSeries';

/** RFC 4180: quotes where a field needs them, quotes inside doubled. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Every logged number, one a line, in the order of its arrival: arm,seed,agent,iteration,metric,value.
 * RFC 4180: a header, CRLF after every record, quotes where a field needs them. Numbers have the shortest form that
 * reads back to the same float64; NaN, Infinity and -Infinity are spelled out, as NumPy, pandas and R read them.
 */
export function metricsCsv(series: RunSeries): string {
  const records = ['arm,seed,agent,iteration,metric,value'];
  for (const { arm, seed, agent, iteration, values } of series.rows) {
    const start = `${csvField(arm)},${seed},${csvField(agent)},${iteration}`;
    for (const [metric, value] of Object.entries(values))
      if (value !== undefined) records.push(`${start},${csvField(metric)},${value}`);
  }
  return `${records.join('\r\n')}\r\n`;
}
