import { centreOf } from './box';
import type { TeamLayout } from './teamLayout';
import { neighbours, type TeamModel } from './teamModel';

/** Walking from agent to agent with the arrow keys. */

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Whether a key is one that walks. */
export function isWalkKey(key: string): boolean {
  return Object.hasOwn(steps, key);
}

/**
 * The agent that an arrow key leads to: among those that an edge joins with `agent` and that stand in the key's direction, the one that
 * stands most nearly straight ahead, the first of equals. Null where there is none.
 */
export function walkFrom(
  team: TeamModel,
  layout: TeamLayout,
  agent: string,
  key: string,
): string | null {
  const step = steps[key];
  const here = layout.nodes.get(agent);
  if (step === undefined || here === undefined) return null;
  const [dx, dy] = step;
  const start = centreOf(here);
  const ahead = neighbours(team, agent).flatMap((name) => {
    const box = layout.nodes.get(name);
    if (box === undefined) return [];
    const { x, y } = centreOf(box);
    const forward = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    return forward > 0 ? [{ name, slope: aside / forward }] : [];
  });
  return ahead.toSorted((a, b) => a.slope - b.slope)[0]?.name ?? null;
}
