import type { KernelCall } from './kernelCall';
import { createPlan, type PipelineCache, type Plan } from './plan';

/** Plans by key, made once each. */
export interface PlanStore {
  get(key: string, calls: () => readonly KernelCall[]): Promise<Plan>;
  /** Forgets all: what they were made on is gone, or about to be. */
  clear(): void;
}

export function createPlanStore(cache: PipelineCache): PlanStore {
  const plans = new Map<string, Promise<Plan>>();
  return {
    get(key, calls) {
      const plan = plans.get(key) ?? createPlan(cache, calls());
      plans.set(key, plan);
      return plan;
    },
    clear() {
      // A plan that could not be made has nothing to free.
      for (const plan of plans.values())
        plan.then(
          (made) => made.destroy(),
          () => undefined,
        );
      plans.clear();
    },
  };
}
