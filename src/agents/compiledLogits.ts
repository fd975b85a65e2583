import { encodePlans } from '../gpu/plan';
import type { CompiledState } from './compiledState';
import { bucketSize } from './packTurns';
import type { LogitsOf, Wave } from './sampleTurns';
import type { StackShape } from './stackTurns';

/** Next-token logits of waiting contexts on the compiled engine: one pass and one read-back a token, all replicas at once. */

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 1);
}

function shapeOf(waves: readonly Wave[]): StackShape {
  const contexts = waves.map((wave) => wave.contexts);
  const numContexts = bucketSize(most(contexts.map(({ length }) => length)));
  return {
    numSequences: numContexts,
    length: most(contexts.flat().map(({ length }) => length)),
    numSites: numContexts,
    numTurns: 1,
    actionWidth: 1,
  };
}

export function compiledLogits(state: CompiledState): LogitsOf {
  const { stage, readback, weights, hypers, cohort, cache } = state;
  return async (waves) => {
    const shape = shapeOf(waves);
    const { numSequences, length, numSites } = shape;
    const tokens = new Int32Array(hypers.length * numSequences * length);
    const siteRows = new Int32Array(hypers.length * numSites);
    for (const { replica, contexts } of waves)
      for (const [index, context] of contexts.entries()) {
        tokens.set(context, (replica * numSequences + index) * length);
        siteRows[replica * numSites + index] = index * length + context.length - 1;
      }
    stage.reserve([shape]);
    const forward = await stage.plan(shape, { kind: 'forward', weights });
    const { pass } = stage.memory();
    const { device } = cache;
    const count = hypers.length * numSites * cohort.vocabularySize;
    const reading = readback.begin(count);
    device.queue.writeBuffer(pass.tokens, 0, tokens);
    device.queue.writeBuffer(pass.siteRows, 0, siteRows);
    const encoder = device.createCommandEncoder();
    encodePlans(encoder, [forward]);
    reading.copy(encoder, pass.logits, count);
    device.queue.submit([encoder.finish()]);
    const [logits] = await reading.finish();
    const stride = numSites * cohort.vocabularySize;
    return waves.map(({ replica }) => logits!.subarray(replica * stride, (replica + 1) * stride));
  };
}
