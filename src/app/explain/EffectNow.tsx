import { valueAt } from '../../config/dataPath';
import { optionEffect } from '../../config/optionEffect';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { createWorkflow } from '../../envs/registry';
import { useSpec } from '../specStore';

/** What the present value of a setting means in numbers of this experiment; nothing while the form cannot run. */
export function EffectNow({ path }: { readonly path: string }) {
  const parsed = useSpec((state) => state.parsed);
  if (!parsed.ok || valueAt(parsed.spec, path) === undefined) return null;
  return (
    <>
      <strong>Here:</strong> {effectOf(parsed.spec, path)}
    </>
  );
}

function effectOf(spec: ExperimentSpec, path: string): string {
  const { vocabulary, maxPromptTokens, maxActionTokens } = createWorkflow(spec.environment).spec;
  const world = { vocabularySize: vocabulary.length, maxPromptTokens, maxActionTokens };
  return optionEffect(spec, path, world);
}
