import type { Box } from './box';
import {
  groupOutline,
  outlineLabelHeight,
  outlinePadding,
  type GroupOutline,
} from './groupOutline';
import { teamLayers } from './teamLayers';
import type { TeamModel } from './teamModel';

/** Where the agents of a team stand. The same team and width give the same places. Unit of all lengths: CSS px. */

/** `across`: layers are columns, from left to right. `down`: layers are rows, from top to bottom. */
type LayoutDirection = 'across' | 'down';

export interface TeamLayout {
  readonly direction: LayoutDirection;
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Box>;
  readonly outlines: readonly GroupOutline[];
}

/** One size for all: what stands in a node may change, the node does not. */
export const nodeSize = { width: 142, height: 44 } as const;

/** Between two layers, where edges and their labels run. */
const layerGap = { across: 104, down: 58 } as const;
/** Between two nodes of a layer, one above the other in columns or side by side in rows: two outlines fit in, and two nodes into 320 px. */
const nodeGap = { across: 16, down: 20 } as const;

interface Frame {
  readonly team: TeamModel;
  readonly layers: readonly (readonly string[])[];
  readonly availableWidth: number;
  /** Room that an outline takes above its nodes, and on the other sides. */
  readonly above: number;
  readonly around: number;
}

/** The lower of the two directions that fit into `availableWidth`; rows always fit, at least one node wide. */
export function teamLayout(team: TeamModel, availableWidth: number): TeamLayout {
  const hasGroups = team.groups.length > 0;
  const frame: Frame = {
    team,
    layers: teamLayers(team),
    availableWidth,
    above: hasGroups ? outlinePadding + outlineLabelHeight : 0,
    around: hasGroups ? outlinePadding : 0,
  };
  const across = placedAcross(frame);
  const down = placedDown(frame);
  return across.width <= availableWidth && across.height <= down.height ? across : down;
}

function placedAcross(frame: Frame): TeamLayout {
  const { layers, above, around } = frame;
  const rowStep = nodeSize.height + nodeGap.across + above + around;
  const columnStep = nodeSize.width + layerGap.across;
  const numRows = Math.max(...layers.map(({ length }) => length));
  const nodes = layers.flatMap((agents, column) =>
    agents.map((agent, row): [string, Box] => [
      agent,
      {
        x: around + column * columnStep,
        // Shorter columns stand in the middle of the longest.
        y: above + (row + (numRows - agents.length) / 2) * rowStep,
        ...nodeSize,
      },
    ]),
  );
  return finished(frame, 'across', nodes);
}

function placedDown(frame: Frame): TeamLayout {
  const { layers, availableWidth, above, around } = frame;
  const columnStep = nodeSize.width + nodeGap.down;
  const room = availableWidth - 2 * around - nodeSize.width;
  const perRow = Math.max(1, 1 + Math.floor(room / columnStep));
  const rows = layers.flatMap((agents) => inRows(agents, perRow));
  const widest = Math.max(...rows.map(({ length }) => length));
  const rowStep = nodeSize.height + layerGap.down + above;
  const nodes = rows.flatMap((agents, row) =>
    agents.map((agent, column): [string, Box] => [
      agent,
      {
        x: around + (column + (widest - agents.length) / 2) * columnStep,
        y: above + row * rowStep,
        ...nodeSize,
      },
    ]),
  );
  return finished(frame, 'down', nodes);
}

/** Rows of at most `perRow`, as even as can be. */
function inRows(agents: readonly string[], perRow: number): readonly (readonly string[])[] {
  const numRows = Math.ceil(agents.length / perRow);
  const length = Math.ceil(agents.length / numRows);
  return Array.from({ length: numRows }, (_, row) =>
    agents.slice(row * length, (row + 1) * length),
  );
}

function finished(
  { team, around }: Frame,
  direction: LayoutDirection,
  places: readonly (readonly [string, Box])[],
): TeamLayout {
  const nodes = new Map(places);
  const boxes = [...nodes.values()];
  return {
    direction,
    width: around + Math.max(...boxes.map(({ x, width }) => x + width)),
    height: around + Math.max(...boxes.map(({ y, height }) => y + height)),
    nodes,
    outlines: team.groups.map((group) => groupOutline(group, nodes)),
  };
}
