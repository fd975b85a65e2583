import type { FigureProof } from './figureProof';
import { refusal, type Parsed } from './parsed';
import { readPngProof } from './pngProof';
import { readSvgProof } from './svgProof';
import { strictUtf8 } from './utf8';

/** What a figure says of where it comes from, whether it is an SVG or a PNG. Never throws. */
export function readFigureProof(bytes: Uint8Array): Parsed<FigureProof> {
  // No text begins with this byte.
  if (bytes[0] === 0x89) return readPngProof(bytes);
  const text = strictUtf8(bytes);
  return text === null
    ? refusal('', 'Is neither a PNG nor text: choose a figure.')
    : readSvgProof(text);
}
