import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** Loads the page’s typeface. Only its Latin part: that is all the page writes; Greek letters come from the system. */
export function startFont(): void {
  const inter = new FontFace('Inter Variable', `url(${interLatin})`, {
    weight: '100 900',
    display: 'swap',
  });
  document.fonts.add(inter);
}
