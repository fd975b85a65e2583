import { bare, drawnCopy } from './drawnSvg';

/** A chart of the page as an SVG: title, legend, panels with their headings, and a line of where it comes from. */

const margin = 12;
const footerHeight = 30;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** What of the caption is text of the picture; the rest is to press. */
const captionTexts = '.chart-title, .chart-legend button';
const panelTexts = '.chart-agent, .chart-chip, .chart-empty';

/**
 * The figure as it is seen, in CSS px. Throws RangeError where a table is shown in its place.
 * @param footer in one line
 * @param style CSS with the font
 */
export function figureSvg(figure: HTMLElement, footer: string, style: string): string {
  const caption = figure.querySelector('figcaption');
  const panels = figure.querySelector('.chart-panels');
  if (caption === null || panels === null || figure.querySelector('.metric-plot') === null)
    throw new RangeError('The chart shows no figure: close its table, and run the experiment.');
  const [head, body] = [caption.getBoundingClientRect(), panels.getBoundingClientRect()];
  const [width, height] = [body.width + 2 * margin, head.height + body.height + 3 * margin];
  const svg = bare('svg');
  setNumbers(svg, { width, height: height + footerHeight });
  svg.setAttribute('viewBox', `0 0 ${width} ${height + footerHeight}`);
  const sheet = bare('style');
  sheet.append(style);
  svg.append(sheet, backgroundOf(figure, width, height + footerHeight));
  drawTexts(svg, caption.querySelectorAll(captionTexts), from(head, margin));
  drawPictures(svg, caption.querySelectorAll('.chart-legend svg'), from(head, margin));
  const bodyAt = from(body, head.height + 2 * margin);
  drawDots(svg, panels.querySelectorAll('.agent-dot'), bodyAt);
  drawTexts(svg, panels.querySelectorAll(panelTexts), bodyAt);
  drawPictures(svg, panels.querySelectorAll('.metric-plot > svg'), bodyAt);
  svg.append(footerOf(caption, footer, height + footerHeight - margin));
  return new XMLSerializer().serializeToString(svg);
}

/** Of a place on the screen, in the picture. */
function from(rect: DOMRect, top: number): (place: DOMRect) => Place {
  return ({ x, y }) => ({ x: x - rect.x + margin, y: y - rect.y + top });
}

function setNumbers(element: Element, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers))
    element.setAttribute(name, String(Math.round(100 * value) / 100));
}

/** The nearest ground that is not transparent: a picture is looked at on any paper. */
function backgroundOf(figure: Element, width: number, height: number): Element {
  const rect = bare('rect');
  setNumbers(rect, { width, height });
  let ground: Element | null = figure;
  let color = 'rgba(0, 0, 0, 0)';
  while (ground !== null && color === 'rgba(0, 0, 0, 0)') {
    color = getComputedStyle(ground).backgroundColor;
    ground = ground.parentElement;
  }
  rect.setAttribute('fill', color);
  return rect;
}

function drawPictures(
  svg: Element,
  pictures: NodeListOf<Element>,
  placeOf: (rect: DOMRect) => Place,
): void {
  for (const [index, picture] of [...pictures].entries()) {
    const copy = drawnCopy(picture, `clip-${index}-`);
    const rect = picture.getBoundingClientRect();
    if (copy === null || rect.width === 0) continue;
    setNumbers(copy, { ...placeOf(rect), width: rect.width, height: rect.height });
    svg.append(copy);
  }
}

function drawTexts(
  svg: Element,
  hosts: NodeListOf<Element>,
  placeOf: (rect: DOMRect) => Place,
): void {
  for (const host of hosts)
    for (const node of textNodesIn(host)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width === 0) continue;
      const { x, y } = placeOf(rect);
      const style = getComputedStyle(node.parentElement ?? host);
      // A line box is the font's ascent and descent about its middle; the letters stand at about four fifths.
      svg.append(textOf(node.data, { x, y: y + 0.8 * rect.height }, style));
    }
}

function textNodesIn(host: Element): Text[] {
  return [...host.childNodes].flatMap((child) => {
    if (child instanceof Text) return child.data.trim() === '' ? [] : [child];
    return child instanceof HTMLElement ? textNodesIn(child) : [];
  });
}

function textOf(text: string, place: Place, style: CSSStyleDeclaration): Element {
  const element = bare('text');
  setNumbers(element, { ...place });
  element.setAttribute('fill', style.color);
  element.setAttribute('font-family', style.fontFamily);
  element.setAttribute('font-size', style.fontSize);
  element.setAttribute('font-weight', style.fontWeight);
  element.append(text);
  return element;
}

function drawDots(
  svg: Element,
  dots: NodeListOf<Element>,
  placeOf: (rect: DOMRect) => Place,
): void {
  for (const dot of dots) {
    const rect = dot.getBoundingClientRect();
    const { x, y } = placeOf(rect);
    const circle = bare('circle');
    setNumbers(circle, { cx: x + rect.width / 2, cy: y + rect.height / 2, r: rect.width / 2 });
    circle.setAttribute('fill', getComputedStyle(dot).backgroundColor);
    svg.append(circle);
  }
}

function footerOf(caption: Element, text: string, y: number): Element {
  const element = textOf(text, { x: margin, y }, getComputedStyle(caption));
  element.setAttribute('font-size', '10px');
  element.setAttribute('font-weight', '400');
  element.setAttribute('opacity', '0.7');
  return element;
}
