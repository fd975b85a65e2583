import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import { Outline } from './document/Outline';
import { useDocument } from './document/documentStore';

const ConfigPanel = lazy(async () => ({ default: (await import('./ConfigPanel')).ConfigPanel }));

const tabs = ['Experiment', 'Contents'] as const;
type Tab = (typeof tabs)[number];

/** Beside the notebook: the form of its experiment, or what is in it. */
export function SidePanel() {
  const [tab, setTab] = useState<Tab>('Experiment');
  return (
    <aside className="config" aria-label="Side panel">
      <Tabs chosen={tab} onChoose={setTab} />
      <div role="tabpanel" id="side-panel" aria-labelledby={`tab-${tab}`}>
        {tab === 'Experiment' ? <ExperimentTab /> : <Outline />}
      </div>
    </aside>
  );
}

function ExperimentTab() {
  const experiment = useDocument((state) => state.experiment);
  const generation = useDocument((state) => state.generation);
  if (experiment === null)
    return (
      <p className="muted side-empty">
        The notebook has no experiment. Add an experiment cell to set one up.
      </p>
    );
  // What is typed into one form must not stay in the controls of another.
  return (
    <Suspense fallback={null}>
      <ConfigPanel key={`${generation} ${experiment}`} />
    </Suspense>
  );
}

interface TabsProps {
  readonly chosen: Tab;
  readonly onChoose: (tab: Tab) => void;
}

function Tabs({ chosen, onChoose }: TabsProps) {
  const step = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(chosen) + 1) % tabs.length]!;
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div className="side-tabs" role="tablist" aria-label="Side panel">
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === chosen}
          aria-controls="side-panel"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
          onKeyDown={step}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
