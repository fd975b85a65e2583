import { useId, useState } from 'react';
import type { SpecIssue } from '../config/parseSpec';
import { HelpButton } from './HelpButton';
import { parseSeeds, seedsText } from './seedsText';
import { applyToSpec, useSpec } from './specStore';

const help =
  'Each seed is one run of every arm: the same tasks, initial weights and sampling noise in all arms. Write a list (0, 1, 7) or a range (0-4). Whole numbers from 0 to 4,294,967,295, each once.';

const noIssues: readonly SpecIssue[] = [];

/** The list of seeds as text, with the number of runs it makes. */
export function SeedsEditor() {
  const id = useId();
  const seeds = useSpec((state) => state.seeds);
  const numArms = useSpec((state) => state.arms.filter(({ isOn }) => isOn).length);
  const issues = useSpec((state) => (state.parsed.ok ? noIssues : state.parsed.issues));
  const [text, setText] = useState(seedsText(seeds));
  // A list from outside (a preset, a link) replaces the text; the list just typed does not.
  if (!isSameList(parseSeeds(text), seeds)) setText(seedsText(seeds));
  const own = issues.filter(({ path }) => /^seeds(\.|$)/.test(path));
  return (
    <div className="field field-seeds">
      <label className="field-label" htmlFor={id}>
        Seeds
      </label>
      <span className="field-control">
        <input
          id={id}
          type="text"
          value={text}
          inputMode="text"
          autoComplete="off"
          aria-describedby={`${id}-note`}
          aria-invalid={own.length > 0}
          onChange={(event) => {
            setText(event.target.value);
            applyToSpec({ kind: 'seedsSet', seeds: parseSeeds(event.target.value) });
          }}
        />
        <span className="field-unit">
          {seeds.length} × {numArms} arms
        </span>
      </span>
      <HelpButton subject="Seeds" text={help} />
      <span className="icon-space" />
      <p id={`${id}-note`} className={own.length > 0 ? 'field-issue' : 'visually-hidden'}>
        {own.length > 0
          ? own.map(({ message }) => message).join(' ')
          : `${seeds.length * numArms} runs in all.`}
      </p>
    </div>
  );
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}
