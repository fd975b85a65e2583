import { useId } from 'react';
import type { Transcript } from '../../protocol/trainerApi';
import { episodeKey } from './episodes';
import { outcomeText } from './episodeText';

interface ReaderBarProps {
  readonly beside: Transcript | null;
  readonly comparable: readonly Transcript[];
  readonly numIterations: number;
  readonly step: number | null;
  readonly numTurns: number;
  /** Does what the key does. */
  readonly onKey: (key: string) => void;
  readonly onCompare: (episode: Transcript | null) => void;
}

/** Stepping by pointer, and what the episode is compared with. */
export function ReaderBar(props: ReaderBarProps) {
  const { step, numTurns, onKey } = props;
  return (
    <div className="reader-bar">
      <fieldset className="reader-steps" aria-label="Step through the episode">
        <button
          type="button"
          className="icon-button"
          aria-label="One turn back"
          disabled={step === 0}
          onClick={() => onKey('ArrowLeft')}
        >
          ‹
        </button>
        <span className="reader-place">
          {step === null
            ? `${numTurns} ${numTurns === 1 ? 'turn' : 'turns'}`
            : `Turn ${step + 1} of ${numTurns}`}
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label="One turn forward"
          disabled={step === numTurns - 1}
          onClick={() => onKey('ArrowRight')}
        >
          ›
        </button>
        <button type="button" disabled={step === null} onClick={() => onKey('Escape')}>
          Show all
        </button>
      </fieldset>
      <Compare {...props} />
    </div>
  );
}

/** More than these are too many to choose from. */
const maxComparable = 60;

function Compare({ beside, comparable, numIterations, onCompare }: ReaderBarProps) {
  const id = useId();
  return (
    <div className="reader-compare">
      <label htmlFor={id}>Beside it</label>
      <select
        id={id}
        value={beside === null ? '' : episodeKey(beside)}
        disabled={comparable.length === 0}
        onChange={(event) => {
          const { value } = event.target;
          onCompare(comparable.find((other) => episodeKey(other) === value) ?? null);
        }}
      >
        <option value="">
          {comparable.length === 0 ? nothingText(numIterations) : 'Same task in another iteration…'}
        </option>
        {comparable.slice(0, maxComparable).map((other) => (
          <option key={episodeKey(other)} value={episodeKey(other)}>
            {`iteration ${other.iteration}, ${other.arm}, seed ${other.seed}, ${outcomeText(other)}`}
          </option>
        ))}
      </select>
    </div>
  );
}

function nothingText(numIterations: number): string {
  return numIterations < 2 ? 'Only one iteration so far' : 'No other kept iteration has this task';
}
