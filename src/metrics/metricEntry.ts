/** What a logged number means, in the words that the page, the CSV and the docs use. */
export interface MetricEntry {
  readonly label: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  readonly formula: string;
  /** One sentence for the hover text. */
  readonly meaning: string;
  /** `agent`: one value per agent; `team`: one per iteration. */
  readonly level: 'agent' | 'team';
  /** Where a healthy run lies, in words. */
  readonly healthy: string;
}
