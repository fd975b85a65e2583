/** No lone surrogates: such text has no UTF-8, so no format can carry it. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
