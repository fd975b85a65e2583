/**
 * Numbers as the page prints them: English, three significant digits, the true minus sign, widths that line up in
 * tabular figures. The locale is fixed so that a figure reads the same wherever it is opened.
 */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function power(exponent: number): string {
  const raised = String(Math.abs(exponent)).replaceAll(/\d/g, (digit) =>
    superscripts.charAt(+digit),
  );
  return `10${exponent < 0 ? '⁻' : ''}${raised}`;
}

function magnitude(value: number): string {
  if (value === 0) return '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential(2).split('e');
  const exponent = Number(exponentText);
  if (exponent < -3 || exponent > 5) return `${mantissa}×${power(exponent)}`;
  if (exponent >= 3) return grouped.format(value);
  return value.toFixed(Math.max(0, 2 - exponent));
}

/**
 * Three significant digits: 0.934, 12.3, 123; whole from 1,000 (12,345); ×10ⁿ below 0.001 and from a million on.
 * NaN, ∞ and −∞ as such.
 */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 ? '−' : '';
  return sign + (Number.isFinite(value) ? magnitude(Math.abs(value)) : '∞');
}

/** Label of an axis: the shortest exact form of a round number. 0.05, 20, 10⁴, 2×10⁻⁵. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size === 0) return '0';
  if (size >= 0.01 && size < 10_000) return sign + String(Number(size.toPrecision(6)));
  const [mantissa = '', exponentText = '0'] = size.toExponential().split('e');
  const factor = Number(Number(mantissa).toPrecision(6));
  return sign + (factor === 1 ? '' : `${factor}×`) + power(Number(exponentText));
}

/** Counts: 950, 12.3k, 182k, 4.56M. Whole numbers ≥ 0; no unit. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return formatNumber(count);
  const steps = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const;
  for (const [size, letter] of steps) {
    // 999.6 k rounds to four digits: it belongs to the next letter.
    if (count >= 0.9995 * size && count >= 1000) return magnitude(count / size) + letter;
  }
  return String(Math.round(count));
}

/** A span of time given in ms: `850 ms`, `12.3 s`, then `1:12` (min:s) and `1:02:03` (h:min:s). */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return formatNumber(durationMs);
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, ...rest] = parts;
  const shown = hours > 0 ? [hours, ...rest] : rest;
  return shown.map((part, index) => (index === 0 ? part : String(part).padStart(2, '0'))).join(':');
}
