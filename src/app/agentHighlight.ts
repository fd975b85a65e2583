import { create } from 'zustand';

interface AgentHighlight {
  /** The agent that stands out everywhere on the page, pointed at or else pinned; the others step back. Null: all are equal. */
  readonly agent: string | null;
  /** Stands out until it is released, also when nothing is pointed at. */
  readonly pinned: string | null;
}

export const useAgentHighlight = create<AgentHighlight>(() => ({ agent: null, pinned: null }));

/** Points at an agent; null = at none any more, which brings the pinned one back. */
export function highlightAgent(agent: string | null): void {
  useAgentHighlight.setState(({ pinned }) => ({ agent: agent ?? pinned }));
}

/** Pins an agent, or releases it where it is the pinned one. */
export function togglePinnedAgent(agent: string): void {
  useAgentHighlight.setState(({ pinned }) =>
    pinned === agent ? { agent: null, pinned: null } : { agent, pinned: agent },
  );
}

/** All agents are equal again. */
export function releaseHighlight(): void {
  useAgentHighlight.setState({ agent: null, pinned: null });
}
