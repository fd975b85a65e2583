import { useRef } from 'react';
import { shareNotebook } from './address';
import { Icon } from './icons';
import { openPalette } from './document/palette';
import { saveNotebook } from './notebookFile';
import { openFile } from './openSpec';
import { RunStrip } from './RunStrip';
import { useSpec } from './specStore';
import { useTheme } from './theme';

/** Name of the page, the run strip, and what goes in and out of the form. */
export function Header() {
  return (
    <header className="header">
      <p className="brand">
        <BrandMark />
        Marlbook
      </p>
      <RunStrip />
      <div className="header-actions">
        <ShareButton />
        <SaveButton />
        <OpenButton />
        <ThemeButton />
        <CommandsButton />
      </div>
    </header>
  );
}

/** Three agents, as in the icon of the page. */
function BrandMark() {
  return (
    <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path d="M5 9 13 4.5M5 9l8 4.5" stroke="var(--control-line)" strokeWidth="1.5" />
      <circle cx="4.5" cy="9" r="3" fill="var(--agent-0)" />
      <circle cx="13.5" cy="4" r="3" fill="var(--agent-1)" />
      <circle cx="13.5" cy="14" r="3" fill="var(--agent-2)" />
    </svg>
  );
}

function ShareButton() {
  const parsed = useSpec((state) => state.parsed);
  return (
    <button
      type="button"
      disabled={!parsed.ok}
      title="Copies a link that opens this notebook"
      onClick={() => {
        // Success and failure are both said in the live region.
        void shareNotebook();
      }}
    >
      <Icon name="share" />
      Share
    </button>
  );
}

function SaveButton() {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Save the notebook as a file"
      title="Save the notebook as a file"
      onClick={() => {
        // What was saved is said in the live region.
        void saveNotebook();
      }}
    >
      <Icon name="download" />
    </button>
  );
}

function CommandsButton() {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Commands"
      title="Commands (Ctrl K)"
      aria-haspopup="dialog"
      onClick={() => openPalette({ kind: 'all' })}
    >
      <Icon name="menu" />
    </button>
  );
}

function OpenButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Open a file"
        title="Open a notebook, a configuration, an archive or a figure (or drop it on the page)"
        onClick={() => input.current?.click()}
      >
        <Icon name="open" />
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,.zip,.svg,.png"
        hidden
        aria-label="Notebook or configuration file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // What is wrong with the file is shown in a panel of its own.
          if (file) void openFile(file);
          // The same file can be chosen again after it was changed.
          event.target.value = '';
        }}
      />
    </>
  );
}

function ThemeButton() {
  const theme = useTheme((state) => state.theme);
  const toggle = useTheme((state) => state.toggle);
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={theme === 'light' ? 'Use dark colours' : 'Use light colours'}
      title={theme === 'light' ? 'Use dark colours' : 'Use light colours'}
      onClick={toggle}
    >
      <Icon name="theme" />
    </button>
  );
}
