/** One thing that is wrong with a document. */
export interface SpecIssue {
  /** Dotted path of the setting, e.g. `policies.router.optimizer.learningRate`; empty for the document as a whole. */
  readonly path: string;
  /** What came, what was expected and, where there is an answer, what to do. */
  readonly message: string;
}
