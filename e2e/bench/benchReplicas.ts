import type { BenchHost } from './benchHost';
import { requireEqualLosses } from './benchShape';
import type { BenchPlan } from './benchSizes';
import type { DeviceCounts } from './deviceCounts';
import { median, medianRatio } from './median';
import type { BenchShape } from './trainingTask';

/** Replicas of one cohort against the same number of runs one after another, both on the compiled kernels. */

export interface ReplicasResult {
  readonly shape: BenchShape;
  readonly cohorts: readonly {
    readonly numReplicas: number;
    readonly counts: DeviceCounts;
    readonly bytes: number;
    /** Median over the rounds. Unit: ms. */
    readonly issueMs: number;
    readonly stepMs: number;
    /** Host time of the cohort's step over that of one run's step: as many runs would take that many times as long. */
    readonly hostRatio: number;
    /** Time of the cohort's step over that of as many runs' steps, one after another. */
    readonly stepRatio: number;
  }[];
  /** Of the cohort of one. */
  readonly flat: {
    readonly numSteps: number;
    readonly counts: DeviceCounts;
    /** Bytes alive afterwards less before. */
    readonly growth: number;
  };
}

const numRounds = 5;
/** Spent on host times in a round: more steps where they are short. Unit: ms. */
const issueBudgetMs = 2000;

export async function benchReplicas(host: BenchHost, plan: BenchPlan): Promise<ReplicasResult> {
  const { replicas, replicaShape: shape, numFlatSteps } = plan;
  return host.withThreads(replicas.length, async (threads) => {
    const cohorts = replicas.map((numReplicas, index) => ({
      numReplicas,
      thread: threads[index]!,
      issueSteps: 1,
      steps: [] as number[],
      issues: [] as number[],
      /** As many steps of the cohort of one. */
      alone: [] as number[],
    }));
    const losses = [];
    for (const cohort of cohorts) {
      const { numReplicas, thread } = cohort;
      const opened = await thread.open({ peer: 'compiled', shape, numReplicas });
      cohort.issueSteps = Math.max(2, Math.min(30, Math.ceil(issueBudgetMs / opened.estimateMs)));
      losses.push({ peer: `${numReplicas} replicas`, losses: opened.losses });
      await host.note(`  ${numReplicas}: first step ${opened.firstMs.toFixed(0)} ms`);
    }
    requireEqualLosses(losses);
    const single = threads[0]!;
    for (let round = 0; round < numRounds; round++)
      for (const { numReplicas, thread, issueSteps, steps, issues, alone } of cohorts) {
        issues.push(await thread.issue(issueSteps));
        steps.push(await thread.measure(1));
        alone.push(numReplicas * (await single.measure(numReplicas)));
      }
    const before = await single.count(1);
    const flat = await single.count(numFlatSteps);
    const ones = cohorts[0]!.issues;
    const results = [];
    for (const { numReplicas, thread, steps, issues, alone } of cohorts) {
      const counted = await thread.count(1);
      results.push({
        numReplicas,
        counts: counted.steps,
        bytes: counted.bytes,
        issueMs: median(issues),
        stepMs: median(steps),
        hostRatio: medianRatio(issues, ones),
        stepRatio: medianRatio(steps, alone),
      });
    }
    return {
      shape,
      cohorts: results,
      flat: { numSteps: numFlatSteps, counts: flat.steps, growth: flat.bytes - before.bytes },
    };
  });
}
