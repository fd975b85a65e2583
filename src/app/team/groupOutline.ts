import { overlaps, type Box } from './box';
import type { PolicyGroup } from './teamModel';

/** The outline around the agents that share a policy. Unit of all lengths: CSS px. */

export interface GroupOutline {
  readonly group: PolicyGroup;
  /** One box around all members; or, where others would stand in it, one around each, to be joined by `bands`. */
  readonly boxes: readonly Box[];
  /** From one member's middle to the next one's: [x1, y1, x2, y2]. */
  readonly bands: readonly (readonly [number, number, number, number])[];
  /** Where the name begins, its baseline. */
  readonly label: { readonly x: number; readonly y: number };
}

/** Between a node and the outline around it. */
export const outlinePadding = 8;
/** Line of text inside the outline, above the nodes. */
export const outlineLabelHeight = 14;

export function groupOutline(group: PolicyGroup, nodes: ReadonlyMap<string, Box>): GroupOutline {
  const members = group.agents.flatMap((agent) => nodes.get(agent) ?? []);
  const others = [...nodes].filter(([agent]) => !group.agents.includes(agent));
  const around = padded(boundsOf(members));
  const isClear = others.every(([, box]) => !overlaps(around, box));
  const boxes = isClear ? [around] : members.map(padded);
  const [first = around] = boxes;
  return {
    group,
    boxes,
    bands: isClear ? [] : bandsBetween(members),
    label: { x: first.x + outlinePadding, y: first.y + outlineLabelHeight + 2 },
  };
}

function bandsBetween(members: readonly Box[]): GroupOutline['bands'] {
  return members.slice(1).map((box, position) => {
    const before = members[position]!;
    return [
      before.x + before.width / 2,
      before.y + before.height / 2,
      box.x + box.width / 2,
      box.y + box.height / 2,
    ];
  });
}

function boundsOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

function padded({ x, y, width, height }: Box): Box {
  const above = outlinePadding + outlineLabelHeight;
  return {
    x: x - outlinePadding,
    y: y - above,
    width: width + 2 * outlinePadding,
    height: height + above + outlinePadding,
  };
}
