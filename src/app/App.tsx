import { useEffect, useState } from 'react';
import { announce, useAnnouncement } from './announcement';
import { watchRuns } from './desks';
import { Header } from './Header';
import { Notices } from './Notices';
import { openFile } from './openSpec';
import { Cells } from './document/Cells';
import { useDocument } from './document/documentStore';
import { Dialogs } from './document/Dialogs';
import { phaseSentence } from './runText';
import { SidePanel } from './SidePanel';
import { StatusBar } from './StatusBar';

/** The page. */
export function App() {
  const isDropping = useFileDrop();
  const generation = useDocument((state) => state.generation);
  return (
    <div className="app" data-dropping={isDropping}>
      <SkipLink />
      <Header />
      <Notices />
      <SidePanel />
      <main className="main">
        <Cells key={generation} />
      </main>
      <StatusBar />
      <LiveRegion />
      <Dialogs />
      {isDropping && (
        <p className="drop-hint">
          Drop a notebook, a configuration, an archive or a figure to open it
        </p>
      )}
    </div>
  );
}

/** A button and not an anchor: the fragment of the address belongs to shared links. */
function SkipLink() {
  return (
    <button
      type="button"
      className="skip"
      onClick={() => document.getElementById('results')?.focus()}
    >
      Skip to the notebook
    </button>
  );
}

/** `output` is a polite live region by nature; the page has this one only. */
function LiveRegion() {
  const text = useAnnouncement((state) => state.text);
  useEffect(
    () =>
      watchRuns((run, before) => {
        const sentence = run.phase === before.phase ? null : phaseSentence(run);
        if (sentence !== null) announce(sentence);
      }),
    [],
  );
  return <output className="visually-hidden">{text}</output>;
}

/** Opens a file that is dropped anywhere on the page; true while one is held over it. */
function useFileDrop(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      event.preventDefault();
      // What is wrong with the file is shown in a panel of its own.
      void openFile(file);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return isOver;
}
