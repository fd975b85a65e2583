import latinFile from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** Where the letters of the page come from; with other letters the words of a figure would be wider than their place. */
const family = 'Inter Variable';

/** The page’s font as a style of a drawing that stands alone; a drawing that is looked at elsewhere has no other way to it. */
export async function figureFontStyle(): Promise<string> {
  const response = await fetch(latinFile);
  if (!response.ok)
    throw new RangeError(`The font of the page did not load (${response.status}): try again.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${data}) format('woff2')}`;
}
