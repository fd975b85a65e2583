import { readFloats } from '../gpu/buffers';
import { submitPlans, type PipelineCache } from '../gpu/plan';
import type { CohortSpec } from '../protocol/policyApi';
import { slicesOf } from './cohortSlices';
import { createCompiledState, destroyCompiledState } from './compiledState';
import { lossHyperOf } from './kernelHypers';
import {
  compareSteps,
  referenceStep,
  testBatch,
  testHyper,
  type SelfTestResult,
  type StepNumbers,
} from './selfTest';
import { stackTurns } from './stackTurns';

/** Logits and gradient of the test step on the compiled engine. */
async function compiledStep(cache: PipelineCache, spec: CohortSpec): Promise<StepNumbers> {
  const state = createCompiledState(cache, spec, [testHyper], () => 0);
  const { stage, weights, gradients } = state;
  const slice = slicesOf(testBatch(spec), [testHyper], spec.maxActionTokens)[0]![0]!;
  const stacked = stackTurns(
    slice.packed.map(
      (packed) => packed && { packed, objective: 'policyGradient', refLogprobs: null },
    ),
  );
  const { shape } = stacked;
  stage.reserve([shape]);
  const plans = await Promise.all([
    stage.plan(shape, { kind: 'forward', weights }),
    stage.plan(shape, { kind: 'gradient', gradients }),
  ]);
  stage.upload(stacked, [lossHyperOf('policyGradient', testHyper.loss, 1)]);
  submitPlans(cache.device, plans);
  const numbers = {
    logits: (await readFloats(cache.device, stage.memory().pass.logits)).slice(
      0,
      shape.numSites * spec.vocabularySize,
    ),
    gradient: await readFloats(cache.device, gradients),
  };
  destroyCompiledState(state);
  return numbers;
}

/**
 * Largest deviations of logits and gradients from the tfjs model on `cpu`. Compiles what the first real step needs, too.
 * @throws Error with the numbers when a deviation exceeds the tolerance.
 */
export async function testCompiledEngine(
  cache: PipelineCache,
  spec: CohortSpec,
): Promise<SelfTestResult> {
  const measured = await compiledStep(cache, spec);
  return compareSteps(measured, await referenceStep(spec), 'webgpu');
}
