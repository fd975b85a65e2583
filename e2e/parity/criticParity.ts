import { createTfjsCritic } from '../../src/agents/tfjsCritic';
import { createPolicyByBackend } from '../../src/agents/policyByBackend';
import { defaultLosses } from '../../src/config/defaults';
import type { CriticInputs } from '../../src/protocol/criticApi';
import type { CohortSpec } from '../../src/protocol/policyApi';

/** Numbers of a critic and of scored turns, to be compared across backends. */

const numSteps = 10;

/** Ten steps of one sequence, and of two where the step is even: sums as in VDN. */
function inputsFor(spec: CohortSpec): CriticInputs {
  const steps = Array.from({ length: numSteps }, (_, step) =>
    step % 2 === 0 ? [step, step] : [step],
  ).flat();
  const width = spec.maxLength;
  return {
    replicas: new Int32Array(steps.length),
    steps: Int32Array.from(steps),
    numSteps,
    tokens: Int32Array.from(
      { length: steps.length * width },
      (_, index) => 1 + ((index * 7) % (spec.vocabularySize - 1)),
    ),
    lengths: Int32Array.from(steps, (_, row) => 1 + (row % width)),
    width,
  };
}

/** Values before and after ten clipped updates, then losses and gradient norms of these. */
export async function criticNumbers(spec: CohortSpec): Promise<number[]> {
  const { architecture, vocabularySize, maxLength, backend } = spec;
  const critic = createTfjsCritic();
  const hyper = { seed: 5, learningRate: 0.003, numEpochs: 2, valueClip: 0.2 };
  await critic.create({ architecture, vocabularySize, maxLength, backend }, [hyper]);
  const numbers: number[] = [];
  for (let update = 0; update < 10; update++) {
    const oldValues = await critic.values(inputsFor(spec));
    const returns = Float32Array.from({ length: numSteps }, (_, step) => Math.sin(3 * step));
    const [stats] = await critic.update(inputsFor(spec), { oldValues, returns });
    numbers.push(...oldValues, stats!.valueLoss, stats!.gradNorm);
  }
  await critic.dispose();
  return numbers;
}

/** Log-probabilities of six written turns under a fresh policy. */
export async function scoredNumbers(spec: CohortSpec): Promise<number[]> {
  const policy = createPolicyByBackend({
    now: () => performance.now(),
    gpu: () => navigator.gpu,
  });
  const optimizer = { kind: 'sgd', learningRate: 0.1, momentum: 0, maxGradNorm: null } as const;
  await policy.create(spec, [{ seed: 11, optimizer, loss: defaultLosses.clip }]);
  const [promptWidth, actionWidth] = [spec.maxLength - spec.maxActionTokens, spec.maxActionTokens];
  const tokens = (length: number): Int32Array =>
    Int32Array.from({ length }, (_, index) => 1 + ((index * 5) % (spec.vocabularySize - 1)));
  const scores = await policy.score(
    {
      replicas: new Int32Array(6),
      promptTokens: tokens(6 * promptWidth),
      promptLengths: new Int32Array(6).fill(promptWidth),
      promptWidth,
      actionTokens: tokens(6 * actionWidth),
      actionLengths: Int32Array.from({ length: 6 }, (_, row) => 1 + (row % actionWidth)),
      actionWidth,
    },
    'current',
  );
  await policy.dispose();
  return [...scores];
}
