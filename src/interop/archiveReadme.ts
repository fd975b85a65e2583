import type { ExperimentSpec } from '../config/experimentSpec';
import { specHash } from '../config/specHash';

/** What somebody without Marlbook can do with an archive. */
export function archiveReadme(spec: ExperimentSpec): string {
  return `${spec.title}
A run of Marlbook (experiment ${specHash(spec)}).

Open this archive on a Marlbook page to see the run, or read its files:

README.txt          this text
manifest.json       format and version of this archive, hash of the experiment
spec.json           the experiment: everything that was set
notebook.json       the notebook around it, with the numbers that its charts show
metrics.csv         every logged number: arm, seed, agent, iteration, metric, value
metrics.parquet     the same with one column a metric (null = not logged)
events.jsonl        notices, pauses and interventions, one a line
transcripts.jsonl   episodes in words, with rewards and advantages, one a line
fingerprint.json    when, with which versions and on which device it ran
checkpoints/POLICY/ARM/SEED/
  model.safetensors, config.json
                    weights; a folder opens in Python with
                    transformers.LlamaForCausalLM.from_pretrained(folder)

In JSON Lines, numbers that JSON lacks are texts: "NaN", "Infinity", "-Infinity", "-0".
`;
}
