import { useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RunScope } from '../../metrics/runSeries';
import type { Transcript } from '../../protocol/trainerApi';
import { useRun } from '../runStore';
import { useShownScope } from '../runScope';
import { EpisodeFilterBar } from './EpisodeFilterBar';
import { EpisodeList } from './EpisodeList';
import { EpisodeReader } from './EpisodeReader';
import { initialFilters, type EpisodeFilters } from './episodes';
import { newerText } from './episodeText';
import {
  applyViewerAction,
  initialViewer,
  viewOf,
  type View,
  type ViewerAction,
  type ViewerState,
} from './viewerState';

interface RolloutsProps {
  /** Owned by the caller. A new object where they have changed. */
  readonly filters: EpisodeFilters;
  readonly onFilter: (filters: EpisodeFilters) => void;
}

/** Episodes of the run, to be read turn by turn. A new run starts with a new viewer: its arms and tasks are others. */
export function Rollouts(props: RolloutsProps) {
  const startedAtMs = useRun((state) => state.startedAtMs);
  return <Viewer key={startedAtMs} {...props} />;
}

function Viewer({ filters, onFilter }: RolloutsProps) {
  const live = useRun((state) => state.transcripts);
  const scope = useShownScope();
  const [state, act] = useReducer(applyViewerAction, { ...initialViewer, filters });
  // What the filters were when they were last taken over: they may change elsewhere, by undo for example.
  const [taken, setTaken] = useState(filters);
  if (taken !== filters) {
    setTaken(filters);
    act({ kind: 'filtered', filters });
  }
  const frame = useRef<HTMLElement>(null);
  const view = viewOf(state, live);
  const refresh = (): void => {
    flushSync(() => {
      act({ kind: 'refreshed', live });
      if (typeof filters.iteration === 'number') onFilter({ ...filters, iteration: 'latest' });
    });
    // The button that was pressed is gone: the focus goes on to what it brought.
    frame.current?.querySelector<HTMLElement>('.episode-list button:not([tabindex="-1"])')?.focus();
  };
  return (
    <section
      className="rollouts"
      aria-labelledby="rollouts-title"
      ref={frame}
      {...touching(() => act({ kind: 'touched', live }))}
    >
      <header className="rollouts-head">
        <h2 id="rollouts-title">Rollouts</h2>
        {view.episode && (
          <p className="muted small">
            A sample of the episodes learned from, up to iteration {view.iterations[0]}
          </p>
        )}
        {view.numNewer > 0 && (
          <button type="button" className="rollouts-newer" onClick={refresh}>
            {newerText(view.numNewer)}
          </button>
        )}
      </header>
      {view.episode === null ? (
        <NoEpisodes />
      ) : (
        <Episodes
          state={state}
          view={view}
          scope={scope}
          episode={view.episode}
          act={act}
          onFilter={onFilter}
        />
      )}
    </section>
  );
}

/** From the first click or focus on, nothing moves under the reader. */
function touching(onTouch: () => void) {
  return { onFocusCapture: onTouch, onPointerDownCapture: onTouch };
}

function NoEpisodes() {
  const hasRun = useRun((state) => state.spec !== null);
  return (
    <p className="empty">
      {hasRun
        ? 'The first episodes come with iteration 1.'
        : 'What the agents read and wrote, turn by turn, with the log-probability of every token and the reward and advantage of every turn. Run the experiment to see it.'}
    </p>
  );
}

interface EpisodesProps {
  readonly state: ViewerState;
  readonly view: View;
  readonly scope: RunScope;
  readonly episode: Transcript;
  readonly act: (action: ViewerAction) => void;
  readonly onFilter: (filters: EpisodeFilters) => void;
}

function Episodes({ state, view, scope, episode, act, onFilter }: EpisodesProps) {
  return (
    <>
      <EpisodeFilterBar
        filters={state.filters}
        scope={scope}
        iterations={view.iterations}
        onFilter={onFilter}
      />
      <div className="rollouts-body">
        {view.listed.length === 0 ? (
          <NoMatch onClear={() => onFilter(initialFilters)} />
        ) : (
          <EpisodeList
            episodes={view.listed}
            chosen={episode}
            onChoose={(chosen) => act({ kind: 'chosen', episode: chosen })}
          />
        )}
        <EpisodeReader
          episode={episode}
          beside={state.beside}
          comparable={view.comparable}
          numIterations={view.iterations.length}
          agents={scope.agents}
          step={state.step}
          onStep={(step) => act({ kind: 'stepped', step })}
          onCompare={(beside) => act({ kind: 'compared', episode: beside })}
        />
      </div>
    </>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="episode-list episode-list-empty">
      <p className="muted">No kept episode passes these filters.</p>
      <button type="button" onClick={onClear}>
        Clear the filters
      </button>
    </div>
  );
}
