import type { ReactNode } from 'react';
import { presets } from '../config/presets';
import { Icon } from './icons';
import { differenceText } from './settingText';
import { draftDifferences, type DraftDifference } from './specState';
import { applyToSpec, useSpec } from './specStore';
import { useRunnable } from './runnable';
import { forgetLeftNotebook, returnToLeftNotebook, useLeftNotebook } from './openDocument';
import { openNewVersion, useNewVersion } from './newVersion';
import { useActiveExperiment } from './activeExperiment';
import { isActive } from './runState';
import { useRun } from './runStore';
import { useWebgpuSupport } from './webgpuSupport';

/** What the reader has to know before reading the results, most urgent first. Nothing here when all is well. */
export function Notices() {
  return (
    <div className="notices">
      <FailureNotice />
      <RefusalNotice />
      <LeftNotice />
      <WebgpuNotice />
      <InvalidNotice />
      <OriginNotice />
      <StaleNotice />
      <NewVersionNotice />
    </div>
  );
}

interface NoticeProps {
  readonly tone: 'danger' | 'warning' | 'plain';
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, beside the text where there is room. */
  readonly actions?: ReactNode;
}

function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <section className={`notice notice-${tone}`} aria-label={title}>
      {tone !== 'plain' && <Icon name="warning" />}
      <div className="notice-text">
        <h2>{title}</h2>
        {children}
      </div>
      {actions}
    </section>
  );
}

function FailureNotice() {
  const message = useRun((state) => state.message);
  const iteration = useRun((state) => state.iteration);
  if (message === null) return null;
  return (
    <Notice tone="danger" title="The run failed">
      <p>{message}</p>
      <p className="muted">
        What was measured up to iteration {iteration} is kept below. Restart begins again from the
        first iteration.
      </p>
    </Notice>
  );
}

function RefusalNotice() {
  const refusal = useSpec((state) => state.refusal);
  if (refusal === null) return null;
  return (
    <Notice
      tone="danger"
      title={`${refusal.source} was not opened`}
      actions={
        <button type="button" onClick={() => applyToSpec({ kind: 'refusalClosed' })}>
          Close
        </button>
      }
    >
      <p>Nothing was loaded; the form is as before. What is wrong with it:</p>
      <ul className="issues">
        {refusal.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The notebook before this one is not lost. */
function LeftNotice() {
  const left = useLeftNotebook((state) => state.left);
  if (left === null) return null;
  const { title, cells } = left.document.history.present;
  const numCells = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
  return (
    <Notice
      tone="plain"
      title="Another notebook was opened"
      actions={
        <>
          <button type="button" onClick={returnToLeftNotebook}>
            Back to that notebook
          </button>
          <button type="button" onClick={forgetLeftNotebook}>
            Close
          </button>
        </>
      }
    >
      <p>
        {title === '' ? 'The notebook before' : `“${title}”`} ({numCells}) is kept here with its
        results until the next one is opened.
      </p>
    </Notice>
  );
}

function WebgpuNotice() {
  const isWanted = useSpec(({ parsed }) => parsed.ok && parsed.spec.backend === 'webgpu');
  const support = useWebgpuSupport((state) => state.support);
  if (!isWanted || support === 'available' || support === 'checking') return null;
  return (
    <Notice
      tone="warning"
      title={
        support === 'noApi' ? 'This browser has no WebGPU' : 'The browser found no WebGPU adapter'
      }
      actions={
        <button
          type="button"
          onClick={() => applyToSpec({ kind: 'valueSet', path: 'backend', value: 'wasm' })}
        >
          Use WebAssembly instead
        </button>
      }
    >
      <p>
        WebGPU needs Chrome or Edge 113 or newer on a secure page. On Linux it may have to be
        switched on: start the browser with <code>--enable-unsafe-webgpu</code>, or set{' '}
        <code>chrome://flags/#enable-unsafe-webgpu</code>, and reload.
      </p>
    </Notice>
  );
}

/** The reason why Run is off, where the eye is; each field says it again beside itself. */
function InvalidNotice() {
  const isInvalid = useSpec(({ parsed }) => !parsed.ok);
  const runnable = useRunnable();
  if (runnable.ok) return null;
  if (!isInvalid)
    return (
      <p id="run-reason" className="visually-hidden">
        {runnable.reason}
      </p>
    );
  return (
    <Notice tone="warning" title="Run is off">
      <p id="run-reason">{runnable.reason}</p>
    </Notice>
  );
}

const originSentences = {
  link: 'This configuration came from a link.',
  console: 'This configuration came from the console.',
} as const;

function OriginNotice() {
  const origin = useSpec((state) => state.origin);
  const presetId = useSpec((state) => state.presetId);
  const draft = useSpec((state) => state.draft);
  const hasRun = useRun(({ phase }) => phase !== 'idle');
  if (origin.kind === 'preset' || hasRun) return null;
  const differences = draftDifferences(draft, presets[presetId].spec);
  const title =
    origin.kind === 'file'
      ? `This configuration came from the file ${origin.name}.`
      : originSentences[origin.kind];
  return (
    <Notice tone="plain" title={title}>
      <DifferenceList
        intro={`Nothing has run. Nearest preset: ${presets[presetId].label}, ${countText(differences.length)}`}
        differences={differences}
      />
    </Notice>
  );
}

function StaleNotice() {
  const draft = useSpec((state) => state.draft);
  const spec = useRun((state) => state.spec);
  const isRunning = useRun(({ phase }) => isActive(phase));
  if (spec === null) return null;
  const differences = draftDifferences(draft, spec);
  if (differences.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={
        isRunning
          ? 'The run uses the configuration it was started with'
          : 'These results belong to the previous configuration'
      }
      actions={
        <button
          type="button"
          onClick={() => applyToSpec({ kind: 'opened', spec, origin: { kind: 'preset' } })}
        >
          Back to that configuration
        </button>
      }
    >
      <DifferenceList intro="Changed in the form since:" differences={differences} />
    </Notice>
  );
}

function NewVersionNotice() {
  const isReady = useNewVersion(({ waiting }) => waiting !== null);
  const isRunning = useActiveExperiment(({ id }) => id !== null);
  if (!isReady) return null;
  return (
    <Notice
      tone="plain"
      title="A new version is ready"
      actions={
        isRunning ? null : (
          <button type="button" onClick={openNewVersion}>
            Reload
          </button>
        )
      }
    >
      <p>
        {isRunning
          ? 'It waits for the end of the run: opening it would end the run.'
          : 'This page stays as it is until you reload. Save what you want to keep first.'}
      </p>
    </Notice>
  );
}

/** Enough to recognise a configuration by; the form counts and marks them all. */
const maxListed = 6;

interface DifferenceListProps {
  readonly intro: string;
  readonly differences: readonly DraftDifference[];
}

function DifferenceList({ intro, differences }: DifferenceListProps) {
  const more = differences.length - maxListed;
  return (
    <ul className="differences">
      <li className="muted">{intro}</li>
      {differences.slice(0, maxListed).map((difference) => (
        <li key={difference.path}>{differenceText(difference)}</li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}

function countText(numDifferences: number): string {
  if (numDifferences === 0) return 'no difference.';
  return numDifferences === 1 ? '1 difference:' : `${numDifferences} differences:`;
}
