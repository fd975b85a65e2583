/** A drawing of the page as one that stands alone: what the page’s style sheets say is written into it. */

/** What the look of an element of a drawing is made of. */
const looks = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
] as const;

const textLooks = ['font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];

/** Where and which shape it is. Everything else on an element is of the page: classes, roles, names, what happens on a press. */
const places: ReadonlySet<string> = new Set(
  'x y x1 y1 x2 y2 dx dy cx cy r rx ry width height d points transform viewBox'.split(' '),
);

const drawn: ReadonlySet<string> = new Set(
  'svg g path line rect circle ellipse polygon polyline text tspan'.split(' '),
);

/**
 * A copy of the element and what is in it, without what is not seen. Null for one that is not part of a picture.
 * @param clip prefix of the ids of areas that cut lines off: two drawings in one file must not share one
 */
export function drawnCopy(element: Element, clip: string): Element | null {
  if (element.localName === 'clipPath') return clipCopy(element, clip);
  if (element.localName === 'defs') return withChildren(bare('defs'), element, clip);
  if (!drawn.has(element.localName)) return null;
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0')
    return null;
  const copy = bare(element.localName);
  copyPlaces(element, copy);
  for (const look of isText(element) ? [...looks, ...textLooks] : looks)
    copyLook(style, copy, look);
  const area = /#([\w:-]+)/.exec(element.getAttribute('clip-path') ?? '')?.[1];
  if (area !== undefined) copy.setAttribute('clip-path', `url(#${clip}${area})`);
  return withChildren(copy, element, clip);
}

function isText({ localName }: Element): boolean {
  return localName === 'text' || localName === 'tspan';
}

const namespace = 'http://www.w3.org/2000/svg';

export function bare(name: string): SVGElement {
  const element: Element = document.createElementNS(namespace, name);
  if (!(element instanceof SVGElement)) throw new TypeError(`${name} is no element of SVG.`);
  return element;
}

function copyPlaces(from: Element, to: Element): void {
  for (const { name, value } of from.attributes) if (places.has(name)) to.setAttribute(name, value);
}

/** What an element has by itself, or from the one around it, is not said again. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  'fill-opacity': ['1'],
  stroke: ['none'],
  'stroke-width': ['1px'],
  'stroke-dasharray': ['none'],
  'stroke-opacity': ['1'],
  'stroke-linecap': ['butt'],
  'stroke-linejoin': ['miter'],
  opacity: ['1'],
  'paint-order': ['normal'],
  'text-anchor': ['start'],
  'dominant-baseline': ['auto'],
};

function copyLook(style: CSSStyleDeclaration, to: Element, look: string): void {
  const value = style.getPropertyValue(look);
  if (value !== '' && unsaid[look]?.includes(value) !== true) to.setAttribute(look, value);
}

function withChildren(copy: Element, from: Element, clip: string): Element {
  for (const child of from.childNodes)
    if (child instanceof Element) {
      const own = drawnCopy(child, clip);
      if (own !== null) copy.append(own);
    } else if (child instanceof Text && isText(copy)) copy.append(child.data);
  return copy;
}

function clipCopy(element: Element, clip: string): Element {
  const copy = bare('clipPath');
  copy.setAttribute('id', `${clip}${element.id}`);
  for (const child of element.children) {
    const own = bare(child.localName);
    copyPlaces(child, own);
    copy.append(own);
  }
  return copy;
}
