import { describe, expect, test } from 'vitest';
import { centreOf, overlaps, type Box } from './box';
import { edgePaths, type EdgePath } from './edgePaths';
import { teamLayers } from './teamLayers';
import { nodeSize, teamLayout, type TeamLayout } from './teamLayout';
import type { TeamModel } from './teamModel';
import { madeUpTeams, worldTeams } from './testing/teams';

const widths = [320, 366, 440, 900];

function hasOnBorder({ x, y, width, height }: Box, point: { x: number; y: number }): boolean {
  const isOnUpright = point.x === x || point.x === x + width;
  const isOnLevel = point.y === y || point.y === y + height;
  const isWithin = point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
  return isWithin && (isOnUpright || isOnLevel);
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Pairs of nodes that lie over each other. */
function overlapsIn({ nodes }: TeamLayout): string[] {
  const placed = [...nodes];
  return placed.flatMap(([one, box], i) =>
    placed.slice(i + 1).flatMap(([two, other]) => (overlaps(box, other) ? `${one} ${two}` : [])),
  );
}

describe.each([...worldTeams, ...madeUpTeams])('%s', (_, team) => {
  const layouts = widths.map((width) => [width, teamLayout(team, width)] as const);

  test('every agent has a place of its own inside the drawing, which fits its width', () => {
    for (const [width, layout] of layouts) {
      expect([...layout.nodes.keys()].toSorted()).toEqual(
        team.agents.map(({ agent }) => agent).toSorted(),
      );
      expect(overlapsIn(layout)).toEqual([]);
      expect(layout.width).toBeLessThanOrEqual(width);
      const drawing = { x: 0, y: 0, width: layout.width, height: layout.height };
      for (const box of layout.nodes.values()) expect(contains(drawing, box)).toBe(true);
    }
  });

  test('edges start and end on the borders of their agents, no two in one point', () => {
    for (const [, layout] of layouts) {
      const paths = edgePaths(team.edges, layout);
      expect(paths).toHaveLength(team.edges.length);
      const ends = paths.flatMap(({ edge, start, end }) => {
        expect(hasOnBorder(layout.nodes.get(edge.from)!, start)).toBe(true);
        expect(hasOnBorder(layout.nodes.get(edge.to)!, end)).toBe(true);
        return [`${start.x} ${start.y}`, `${end.x} ${end.y}`];
      });
      expect(new Set(ends).size).toBe(ends.length);
    }
  });

  test('an outline holds its agents and lies inside the drawing; one box holds no other agent', () => {
    for (const [, layout] of layouts) {
      expect(layout.outlines.map(({ group }) => group)).toEqual(team.groups);
      const drawing = { x: 0, y: 0, width: layout.width, height: layout.height };
      for (const { group, boxes, bands } of layout.outlines) {
        for (const box of boxes) expect(contains(drawing, box)).toBe(true);
        for (const [agent, node] of layout.nodes) {
          const isMember = group.agents.includes(agent);
          expect(boxes.some((box) => contains(box, node))).toBe(isMember);
          expect(boxes.some((box) => overlaps(box, node))).toBe(isMember);
        }
        // What stands apart is joined: one outline.
        expect(bands).toHaveLength(boxes.length - 1);
      }
    }
  });

  test('the same team and width give the same places', () => {
    for (const [width, layout] of layouts) expect(teamLayout(team, width)).toEqual(layout);
  });
});

/** Room that a label takes: about 5.5 px a letter, and its rate. */
function labelBox({ label, edge }: EdgePath): Box {
  const width = edge.message.length * 5.5 + (edge.count ? 29 : 0);
  return { x: label.x - label.align * width, y: label.y - 9, width, height: 11 };
}

test.each(worldTeams)('%s: labels cover neither nodes nor each other', (_, team) => {
  for (const width of widths) {
    const layout = teamLayout(team, width);
    const labels = edgePaths(team.edges, layout).map(labelBox);
    for (const [i, label] of labels.entries()) {
      for (const node of layout.nodes.values()) expect(overlaps(label, node)).toBe(false);
      for (const other of labels.slice(i + 1)) expect(overlaps(label, other)).toBe(false);
      // The drawing stands in the middle of its width.
      const margin = (width - layout.width) / 2;
      expect(label.x).toBeGreaterThanOrEqual(-margin);
      expect(label.x + label.width).toBeLessThanOrEqual(layout.width + margin);
    }
  }
});

function teamNamed(name: string): TeamModel {
  const team = new Map([...worldTeams, ...madeUpTeams]).get(name);
  if (team === undefined) throw new Error(`There is no team ${name}.`);
  return team;
}

test('layers follow the calls, agents with one policy stand together, those nobody calls come last', () => {
  expect(teamLayers(teamNamed('route, search, answer'))).toEqual([
    ['router'],
    ['search', 'answer'],
  ]);
  const ring = teamNamed('ring of 3 with 3 policies');
  expect(teamLayers(ring)).toEqual([['agent0'], ['agent1'], ['agent2']]);
  const star = teamNamed('star of 5 with 2 policies');
  expect(teamLayers(star)).toEqual([['agent0'], ['agent2', 'agent4', 'agent1', 'agent3']]);
  const strangers = teamNamed('strangers of 3 with 3 policies');
  expect(teamLayers(strangers)).toEqual([['agent0'], ['agent1', 'agent2']]);
});

test('a wide drawing goes from left to right, a narrow one from top to bottom', () => {
  const team = teamNamed('route, search, answer');
  const wide = teamLayout(team, 440);
  expect(wide.direction).toBe('across');
  expect(centreOf(wide.nodes.get('router')!).y).toBe(wide.height / 2);
  const narrow = teamLayout(team, 320);
  expect(narrow.direction).toBe('down');
  expect(centreOf(narrow.nodes.get('router')!).x).toBe(narrow.width / 2);
  expect(wide.nodes.get('search')).toMatchObject(nodeSize);
});
