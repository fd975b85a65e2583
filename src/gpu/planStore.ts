import type { KernelCall } from './kernelCall';
import { createPlan, type PipelineCache, type Plan } from './plan';

/** Plans by key, made once each. */
export interface PlanStore {
  /** Its plan is good until `clear`, and until `capacity` other keys were asked for. */
  get(key: string, calls: () => readonly KernelCall[]): Promise<Plan>;
  /** Forgets all: what they were made on is gone, or about to be. */
  clear(): void;
}

/** A plan that could not be made has nothing to free. */
function free(plan: Promise<Plan>): void {
  plan.then(
    (made) => made.destroy(),
    () => undefined,
  );
}

/** `capacity`: most plans that are kept; the least recently used goes first. */
export function createPlanStore(cache: PipelineCache, capacity = Infinity): PlanStore {
  // In the order of their last use.
  const plans = new Map<string, Promise<Plan>>();
  return {
    get(key, calls) {
      const plan = plans.get(key) ?? createPlan(cache, calls());
      plans.delete(key);
      plans.set(key, plan);
      if (plans.size > capacity) {
        const [oldest, least] = plans.entries().next().value!;
        plans.delete(oldest);
        free(least);
      }
      return plan;
    },
    clear() {
      for (const plan of plans.values()) free(plan);
      plans.clear();
    },
  };
}
