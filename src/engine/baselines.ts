/** Baselines that move from iteration to iteration; estimators without one leave them alone. */
export interface Baselines {
  /** [agents] of RAE. Unit: reward. */
  readonly ofRoles: Float64Array;
  /** Of REINFORCE with a moving baseline. Unit: reward. */
  readonly ofBatch: number;
}

/** Where every baseline starts: prime-rl's RAE, and reinforcement comparison. */
export function initialBaselines(numAgents: number): Baselines {
  return { ofRoles: new Float64Array(numAgents), ofBatch: 0 };
}
