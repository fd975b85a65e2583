import type { ExperimentSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/specIssue';
import { checkpointFolder, type ArchiveCheckpoint } from './archiveFormat';
import { parseLlamaCheckpoint, type LlamaFiles } from './llamaCheckpoint';
import { parseLlamaConfig } from './llamaConfig';
import { issuesUnder, parsedUnless } from './parsed';
import type { Parsed } from './parsed';

/** Whose checkpoint a file is of. */
type Owner = Omit<ArchiveCheckpoint, 'files'>;

const pattern =
  /^checkpoints\/([a-z][A-Za-z0-9]{0,31})\/([a-z][A-Za-z0-9]{0,31})\/(0|[1-9]\d{0,9})\/(config\.json|model\.safetensors)$/;

/** The checkpoint that a file of an archive belongs to; null for other files. */
export function checkpointIn(name: string): Owner | null {
  const [, policyId, arm, seed] = pattern.exec(name) ?? [];
  return policyId === undefined || arm === undefined ? null : { policyId, arm, seed: Number(seed) };
}

/**
 * The checkpoints among the files, in the order of their folders: each whole, of a policy and a replica of the experiment, and such
 * that its tensors fit its own config.
 */
export function groupCheckpoints(
  files: ReadonlyMap<string, Uint8Array>,
  spec: ExperimentSpec,
): Parsed<readonly ArchiveCheckpoint[]> {
  const owners = new Map(
    [...files.keys()].flatMap((name): [string, Owner][] => {
      const owner = checkpointIn(name);
      return owner === null ? [] : [[checkpointFolder(owner), owner]];
    }),
  );
  const checkpoints = [...owners].map(([folder, { policyId, arm, seed }]) => ({
    policyId,
    arm,
    seed,
    files: {
      config: new Uint8Array(files.get(`${folder}/config.json`) ?? []),
      model: new Uint8Array(files.get(`${folder}/model.safetensors`) ?? []),
    },
  }));
  return parsedUnless(
    checkpoints.flatMap((checkpoint) => checkpointIssues(checkpoint, spec)),
    checkpoints,
  );
}

function checkpointIssues(
  checkpoint: ArchiveCheckpoint,
  { policies, arms, seeds }: ExperimentSpec,
): readonly SpecIssue[] {
  const { policyId, arm, seed, files } = checkpoint;
  const path = checkpointFolder(checkpoint);
  if (!Object.hasOwn(policies, policyId))
    return [{ path, message: `The experiment has no policy ${policyId}: remove the folder.` }];
  if (!arms.some(({ name }) => name === arm) || !seeds.includes(seed))
    return [{ path, message: `The experiment has no run of ${arm} with seed ${seed}.` }];
  return issuesUnder(path, fileIssues(files));
}

function fileIssues(files: LlamaFiles): readonly SpecIssue[] {
  const shape = parseLlamaConfig(files.config);
  if (!shape.ok) return issuesUnder('config.json', shape.issues);
  const weights = parseLlamaCheckpoint(files, shape.value);
  return weights.ok ? [] : weights.issues;
}
