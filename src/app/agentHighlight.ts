import { create } from 'zustand';

/** The agent that is pointed at in the team sketch; charts let the others step back. */
export const useAgentHighlight = create<{ readonly agent: string | null }>(() => ({ agent: null }));

export function highlightAgent(agent: string | null): void {
  useAgentHighlight.setState({ agent });
}
