import { useMemo } from 'react';
import type { SpecIssue } from '../config/parseSpec';
import { editablePaths, valueAt, type FormField, type FormSection } from '../config/formFields';
import { presets } from '../config/presets';
import type { OverrideValue } from '../config/experimentSpec';
import type { RecipeGroup } from '../config/recipes';
import { FieldRow } from './FieldRow';
import { RecipePicker } from './RecipePicker';
import { applyToSpec, useSpec } from './specStore';

/** Sections that are open when the page opens: the setting the experiments are about. */
const openSections: ReadonlySet<FormSection> = new Set(['Estimator']);

/** Sections that begin with the names of what can be set in them. */
const recipeGroups: ReadonlyMap<FormSection, RecipeGroup> = new Map([
  ['Estimator', 'estimator'],
  ['Loss', 'loss'],
]);

const noIssues: readonly SpecIssue[] = [];

function setValue(path: string, value: OverrideValue): void {
  applyToSpec({ kind: 'valueSet', path, value });
}

/** Every setting of the specification, made from the field table. */
export function FieldForm() {
  const draft = useSpec((state) => state.draft);
  const presetId = useSpec((state) => state.presetId);
  const issues = useSpec((state) => (state.parsed.ok ? noIssues : state.parsed.issues));
  const sections = useMemo(() => bySection(editablePaths(draft)), [draft]);
  const preset = presets[presetId].spec;
  return (
    <div className="sections">
      {sections.map(([section, formFields]) => (
        <Section
          key={section}
          section={section}
          formFields={formFields}
          draft={draft}
          preset={preset}
          issues={issues}
        />
      ))}
    </div>
  );
}

/** The sections in the order of their first field. */
function bySection(
  formFields: readonly FormField[],
): readonly (readonly [FormSection, readonly FormField[]])[] {
  const names = [...new Set(formFields.map(({ section }) => section))];
  return names.map((name) => [name, formFields.filter(({ section }) => section === name)]);
}

interface SectionProps {
  readonly section: FormSection;
  readonly formFields: readonly FormField[];
  readonly draft: object;
  readonly preset: object;
  readonly issues: readonly SpecIssue[];
}

function Section({ section, formFields, draft, preset, issues }: SectionProps) {
  const rows = formFields.map((formField) => ({
    formField,
    value: valueAt(draft, formField.path),
    presetValue: valueAt(preset, formField.path),
    issue: issues.find(({ path }) => path === formField.path),
  }));
  const numChanged = rows.filter(
    ({ value, presetValue }) => presetValue !== undefined && !Object.is(value, presetValue),
  ).length;
  const numInvalid = rows.filter(({ issue }) => issue !== undefined).length;
  const recipe = recipeGroups.get(section);
  return (
    <details className="section" open={openSections.has(section)}>
      <summary>
        <h3>{section}</h3>
        {numInvalid > 0 && <span className="count count-danger">{numInvalid} invalid</span>}
        {numChanged > 0 && <span className="count">{numChanged} changed</span>}
      </summary>
      {recipe !== undefined && <RecipePicker group={recipe} label="Recipe" />}
      {rows.map(({ formField, value, presetValue, issue }) => (
        <FieldRow
          key={formField.path}
          formField={formField}
          value={value}
          presetValue={presetValue}
          issue={issue}
          onValue={setValue}
        />
      ))}
    </details>
  );
}
