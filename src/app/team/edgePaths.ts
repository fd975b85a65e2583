import { centreOf, type Box } from './box';
import { nodeSize, type TeamLayout } from './teamLayout';
import type { TeamEdge } from './teamModel';

/** How the edges of a team run between its nodes. Unit of all lengths: CSS px. */

type Side = 'left' | 'right' | 'top' | 'bottom';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where an edge touches a node: on its border. */
interface Port extends Point {
  readonly side: Side;
}

export interface EdgePath {
  readonly edge: TeamEdge;
  /** On the border of the agent that hands over, and of the one that is asked. */
  readonly start: Port;
  readonly end: Port;
  /** SVG path data, from `start` to `end`. */
  readonly path: string;
  /** Baseline, and the share of the label’s width that stands left of x: 0 … 1. */
  readonly label: Point & { readonly align: number };
}

/** Between two edges on one side of a node; more above and below a node, where labels stand between the edges. */
const portStep = { upright: 14, level: 44 } as const;
/** Ports keep away from the corners. */
const cornerSize = 8;

/** An edge's end at one node. */
interface EdgeEnd {
  readonly edge: TeamEdge;
  readonly node: string;
  readonly other: string;
  readonly side: Side;
}

const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;

/** Every edge whose agents both have a place. */
export function edgePaths(edges: readonly TeamEdge[], layout: TeamLayout): readonly EdgePath[] {
  const placed = edges.filter(({ from, to }) => layout.nodes.has(from) && layout.nodes.has(to));
  const ends = placed.flatMap((edge) => endsOf(edge, layout));
  const ports = portsOf(ends, layout);
  return placed.map((edge) => {
    const start = ports.get(portKey(edge, edge.from))!;
    const end = ports.get(portKey(edge, edge.to))!;
    return {
      edge,
      start,
      end,
      path: curve(start, end),
      label: labelPlace({ edge, start, end, isLower: isLowerEdge(edge, placed, layout) }),
    };
  });
}

function portKey({ from, to }: TeamEdge, node: string): string {
  return `${from}>${to}@${node}`;
}

function endsOf(edge: TeamEdge, layout: TeamLayout): readonly EdgeEnd[] {
  const side = facingSide(layout.nodes.get(edge.from)!, layout.nodes.get(edge.to)!, layout);
  return [
    { edge, node: edge.from, other: edge.to, side },
    { edge, node: edge.to, other: edge.from, side: opposite[side] },
  ];
}

/** The side of `from` that looks to `to`: along the layers, or across them within one. */
function facingSide(from: Box, to: Box, { direction }: TeamLayout): Side {
  const isAcross = direction === 'across' ? from.x !== to.x : from.y === to.y;
  if (isAcross) return to.x > from.x ? 'right' : 'left';
  return to.y > from.y ? 'bottom' : 'top';
}

function sideKey({ node, side }: EdgeEnd): string {
  return `${node} ${side}`;
}

/** Spreads the ends on each side of a node in the order of the nodes they lead to, so that edges do not cross at the border. */
function portsOf(ends: readonly EdgeEnd[], layout: TeamLayout): ReadonlyMap<string, Port> {
  const sides = new Set(ends.map(sideKey));
  const ports = new Map<string, Port>();
  for (const key of sides) {
    const together = ends.filter((end) => sideKey(end) === key);
    const sorted = together.toSorted((a, b) => rank(a, layout) - rank(b, layout));
    for (const [position, { edge, node, side }] of sorted.entries()) {
      const shift = (position - (sorted.length - 1) / 2) * stepOf(side, sorted.length);
      ports.set(portKey(edge, node), portOn(layout.nodes.get(node)!, side, shift));
    }
  }
  return ports;
}

/** Place of the other node along the side; of two edges between the same nodes that along the layers comes first. */
function rank({ edge, other, side }: EdgeEnd, layout: TeamLayout): number {
  const { x, y } = centreOf(layout.nodes.get(other)!);
  const along = isUpright(side) ? y : x;
  return along + (isForward(edge, layout) ? 0 : 0.5);
}

function isForward({ from, to }: TeamEdge, { nodes }: TeamLayout): boolean {
  const order = [...nodes.keys()];
  return order.indexOf(from) < order.indexOf(to);
}

/** Between the ports of one side, less where there are many. */
function stepOf(side: Side, numPorts: number): number {
  const length = isUpright(side) ? nodeSize.height : nodeSize.width;
  return Math.min(
    portStep[isUpright(side) ? 'upright' : 'level'],
    (length - 2 * cornerSize) / Math.max(1, numPorts - 1),
  );
}

function isUpright(side: Side): boolean {
  return side === 'left' || side === 'right';
}

/** `shift`: from the middle of the side. */
function portOn(box: Box, side: Side, shift: number): Port {
  const { x, y } = centreOf(box);
  if (isUpright(side))
    return { side, x: side === 'left' ? box.x : box.x + box.width, y: y + shift };
  return { side, x: x + shift, y: side === 'top' ? box.y : box.y + box.height };
}

/** Leaves and enters at right angles. */
function curve(start: Port, end: Port): string {
  const isLevel = isUpright(start.side);
  const reach = isLevel ? (end.x - start.x) * 0.45 : (end.y - start.y) * 0.45;
  const [first, second] = isLevel
    ? [`${start.x + reach} ${start.y}`, `${end.x - reach} ${end.y}`]
    : [`${start.x} ${start.y + reach}`, `${end.x} ${end.y - reach}`];
  return `M${start.x} ${start.y}C${first} ${second} ${end.x} ${end.y}`;
}

/** Of a pair the way back; else an edge that leads down, or to the right. Its label stands on the far side, away from the others. */
function isLowerEdge(edge: TeamEdge, edges: readonly TeamEdge[], layout: TeamLayout): boolean {
  const isPair = edges.some(({ from, to }) => from === edge.to && to === edge.from);
  if (isPair) return !isForward(edge, layout);
  const from = centreOf(layout.nodes.get(edge.from)!);
  const to = centreOf(layout.nodes.get(edge.to)!);
  return layout.direction === 'across' ? to.y > from.y : to.x > from.x;
}

interface LabelRequest {
  readonly edge: TeamEdge;
  readonly start: Port;
  readonly end: Port;
  readonly isLower: boolean;
}

/**
 * Beside the middle of the curve, which by its symmetry is the middle between its ends; where the curve slopes, a little to where it
 * leaves more room.
 */
function labelPlace({ start, end, isLower }: LabelRequest): EdgePath['label'] {
  const x = (start.x + end.x) / 2;
  const y = (start.y + end.y) / 2;
  // 1 where the curve falls to the right, −1 where it rises.
  const slope = Math.sign((end.y - start.y) * (end.x - start.x));
  if (isUpright(start.side))
    return { x, y: isLower ? y + 14 : y - 6, align: 0.5 + slope * (isLower ? 0.25 : -0.25) };
  return isLower
    ? { x: x + 8, y: y + 4 - 8 * slope, align: 0 }
    : { x: x - 8, y: y + 4 + 8 * slope, align: 1 };
}
