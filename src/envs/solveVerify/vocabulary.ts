const fixedTokens = [
  'PAD',
  '<solver>',
  '<verifier>',
  '+',
  '=',
  'ACCEPT',
  'REJECT',
  'NONE',
  'BAD',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
] as const;

function idOf(token: (typeof fixedTokens)[number]): number {
  return fixedTokens.indexOf(token);
}

/** Ids of the tokens that every modulus shares; the ROUND tokens follow them. */
export const tokenIds = {
  solver: idOf('<solver>'),
  verifier: idOf('<verifier>'),
  plus: idOf('+'),
  equals: idOf('='),
  accept: idOf('ACCEPT'),
  reject: idOf('REJECT'),
  /** No attempt so far. */
  none: idOf('NONE'),
  /** The attempt could not be read. */
  bad: idOf('BAD'),
  firstDigit: idOf('0'),
  firstRound: fixedTokens.length,
} as const;

/** All printable tokens of a world with that many rounds. */
export function solveVerifyTokens(numRounds: number): readonly string[] {
  return [...fixedTokens, ...Array.from({ length: numRounds }, (_, i) => `ROUND_${i}`)];
}

/** Writes `value` as decimal digit tokens into `out[offset .. offset + numDigits)`, most significant digit first. */
export function writeDigits(
  out: Int32Array,
  value: number,
  offset: number,
  numDigits: number,
): void {
  let rest = value;
  for (let position = offset + numDigits - 1; position >= offset; position--) {
    out[position] = tokenIds.firstDigit + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** The number that digit tokens spell, most significant first; null if one of them is no digit. */
export function readDigits(tokens: Int32Array): number | null {
  let value = 0;
  for (const token of tokens) {
    const digit = token - tokenIds.firstDigit;
    if (digit < 0 || digit > 9) return null;
    value = 10 * value + digit;
  }
  return value;
}
