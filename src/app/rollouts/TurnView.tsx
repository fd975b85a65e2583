import type { CSSProperties } from 'react';
import { formatNumber } from '../../metrics/format';
import type { TranscriptTurn } from '../../protocol/trainerApi';
import { highlightAgent, useAgentHighlight } from '../agentHighlight';
import { agentColor } from '../charts/lineStyle';
import { percentText } from '../spikes/spikeText';
import { formatSigned, logprobText, tintShare } from './episodeText';
import { TintedToken } from './TintedToken';

/** A token that was read. */
export interface PromptToken {
  readonly token: string;
  /** 0..1 of the influence of the whole prompt, and the same in words; null where it was not measured. */
  readonly influence: { readonly share: number; readonly text: string } | null;
}

interface TurnViewProps {
  readonly turn: TranscriptTurn;
  readonly prompt: readonly PromptToken[];
  /** 0..1 of the blame of the failure; null where it was not measured. */
  readonly share: number | null;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  /** A turn that is still to come keeps its room, so that stepping moves nothing. */
  readonly standing: 'shown' | 'current' | 'ahead';
}

/** One agent's turn: what it read, what it wrote and how surely, and what that earned. */
export function TurnView({ turn, prompt, share, agents, standing }: TurnViewProps) {
  const { agent, invocation } = turn;
  const highlighted = useAgentHighlight((state) => state.agent);
  return (
    <li
      className="turn"
      style={withColor(agentColor(agents, agent))}
      data-standing={standing}
      data-dimmed={highlighted !== null && highlighted !== agent}
      aria-current={standing === 'current' ? 'step' : undefined}
    >
      <p className="turn-head">
        <span className="turn-place">{turn.turnIndex + 1}</span>
        <span
          className="turn-agent"
          onPointerEnter={() => highlightAgent(agent)}
          onPointerLeave={() => highlightAgent(null)}
        >
          <span className="agent-dot" style={{ background: 'var(--turn-color)' }} />
          {agent}
          {invocation !== null && <span className="muted"> call {invocation + 1}</span>}
        </span>
        <TurnFlags turn={turn} />
      </p>
      <TurnNumbers turn={turn} share={share} />
      <p className="turn-prompt">
        <span className="turn-verb">reads</span>
        <PromptWords prompt={prompt} />
      </p>
      <p className="turn-action">
        <span className="turn-verb">writes</span>
        <span className="turn-words">
          <ActionTokens turn={turn} />
        </span>
      </p>
    </li>
  );
}

function withColor(color: string): CSSProperties & Record<'--turn-color', string> {
  return { '--turn-color': color };
}

function TurnFlags({ turn: { isValid, isLearned } }: { readonly turn: TranscriptTurn }) {
  return (
    <>
      {!isValid && <span className="turn-flag turn-invalid">not readable</span>}
      {!isLearned && (
        <span
          className="turn-flag"
          title="The update left this turn out: its agent is frozen, or its group was dropped."
        >
          not learned from
        </span>
      )}
    </>
  );
}

function TurnNumbers({
  turn: { reward, penalty, advantage },
  share,
}: Pick<TurnViewProps, 'turn' | 'share'>) {
  return (
    <dl className="turn-numbers">
      {share !== null && (
        <div>
          <dt>blame</dt>
          <dd>{percentText(share)}</dd>
        </div>
      )}
      {penalty > 0 && (
        <div>
          <dt>penalty</dt>
          <dd>{formatNumber(penalty)}</dd>
        </div>
      )}
      <div>
        <dt>reward</dt>
        <dd>{formatSigned(reward)}</dd>
      </div>
      <div>
        <dt>advantage</dt>
        <dd className="turn-advantage">{formatSigned(advantage)}</dd>
      </div>
    </dl>
  );
}

/** Tinted by influence where it was measured, plain text elsewhere. */
function PromptWords({ prompt }: Pick<TurnViewProps, 'prompt'>) {
  const isTinted = prompt.some(({ influence }) => influence !== null);
  return (
    <span className="turn-words" data-tinted={isTinted}>
      {isTinted
        ? prompt
            .map(({ token, influence }, place) => ({ token, influence, place }))
            .map(({ token, influence, place }) => (
              <TintedToken
                key={place}
                token={token}
                tint={influence?.share ?? 0}
                value={influence?.text ?? ''}
              />
            ))
        : prompt.map(({ token }) => token).join(' ')}
    </span>
  );
}

/** Tokens have no name but their place. */
function ActionTokens({ turn }: { readonly turn: TranscriptTurn }) {
  return turn.actionTokens
    .map((token, place) => ({ token, place, logprob: turn.rolloutLogprobs[place] ?? NaN }))
    .map(({ token, place, logprob }) => (
      <TintedToken
        key={place}
        token={token}
        tint={tintShare(logprob)}
        value={logprobText(logprob)}
      />
    ));
}
