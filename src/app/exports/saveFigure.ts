import { specHash } from '../../config/specHash';
import type { ExperimentSpec } from '../../config/experimentSpec';
import type { FigureProof } from '../../interop/figureProof';
import { announce } from '../announcement';
import { linkOf } from '../address';
import { presentNotebook } from '../document/documentStore';
import { download } from '../runExport';
import { seedsText } from '../seedsText';
import { version } from '../version';
import { figureFontStyle } from './figureFont';
import { figureSvg } from './figureSvg';

export type FigureFormat = 'svg' | 'png';

/** What a chart shows. */
interface DrawnRun {
  /** Id of its cell. */
  readonly experiment: string;
  /** Of the run, whatever the form says by now. */
  readonly spec: ExperimentSpec;
}

/** Device pixels per CSS px in a PNG: sharp in print at half its size. */
const pixelRatio = 2;

/** Saves a chart as it is seen, with where it comes from; says so, or why not, in the live region. */
export async function saveFigure(
  figure: HTMLElement,
  drawn: DrawnRun,
  format: FigureFormat,
): Promise<void> {
  try {
    const proof = proofOf(drawn);
    const svg = figureSvg(figure, footerText(proof), await figureFontStyle());
    const name = `marlbook-${proof.specHash.slice(0, 8)}-figure.${format}`;
    if (format === 'svg') {
      const { svgWithProof } = await import('../../interop/svgProof');
      download(name, 'image/svg+xml', svgWithProof(svg, proof));
    } else {
      const { pngWithProof } = await import('../../interop/pngProof');
      download(name, 'image/png', pngWithProof(await pngOf(svg), proof));
    }
    announce(`${name} was saved. Dropped on the page it opens this notebook.`);
  } catch (error) {
    // The writers refuse what their own readers would refuse.
    if (!(error instanceof RangeError)) throw error;
    announce(`Nothing was saved. ${error.message}`);
  }
}

/** The settings may have changed since the run: the link is to those that were drawn. */
function proofOf({ experiment, spec }: DrawnRun): FigureProof {
  const notebook = presentNotebook();
  const cells = notebook.cells.map((cell) =>
    cell.id === experiment && cell.kind === 'experiment' ? { ...cell, spec } : cell,
  );
  const link = linkOf({ ...notebook, cells });
  if (!link.ok) throw new RangeError(link.issues.map(({ message }) => message).join(' '));
  return {
    version: 1,
    link: link.fragment,
    specHash: specHash(spec),
    seeds: spec.seeds,
    marlbook: version,
  };
}

function footerText({ specHash: hash, seeds, marlbook }: FigureProof): string {
  const page = `${location.origin}${location.pathname}`;
  return `Marlbook ${marlbook} · experiment ${hash} · seeds ${seedsText(seeds)} · drop this file on ${page} to run it again`;
}

/** The picture in pixels. */
async function pngOf(svg: string): Promise<Uint8Array> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width * pixelRatio, image.height * pixelRatio);
  const context = canvas.getContext('2d');
  if (context === null) throw new RangeError('The browser gives no canvas: save the SVG instead.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new Uint8Array(await blob.arrayBuffer());
}
