/** Numbers in sentences about settings: English, four significant digits, ×10ⁿ where zeros would have to be counted. */

const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 0.2, 1.28, 12,345, 3×10⁻⁷, ∞. */
export function effectNumber(value: number): string {
  const size = Math.abs(value);
  if (size === Infinity) return value < 0 ? '−∞' : '∞';
  if (size !== 0 && (size < 1e-4 || size >= 1e12)) return power(value);
  if (size >= 1e4) return grouped.format(value).replace('-', '−');
  return plain.format(value).replace('-', '−');
}

function power(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const factor = plain.format(Number(mantissa)).replace('-', '−');
  const raised = exponent
    .replace('+', '')
    .replaceAll(/\d/g, (digit) => superscripts.charAt(Number(digit)));
  const scale = `10${raised.replace('-', '⁻')}`;
  return factor === '1' ? scale : `${factor}×${scale}`;
}

/** `1 turn`, `4 turns`, `12,345 branches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${effectNumber(count)} ${count === 1 ? one : many}`;
}

/** `12.5 %` of a share. */
export function percent(share: number): string {
  return `${effectNumber(100 * share)} %`;
}
