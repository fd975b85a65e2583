import { encodePlans } from '../gpu/plan';
import type { ScoreTurns } from '../protocol/policyApi';
import type { CompiledState } from './compiledState';
import { groupRows } from './groupRows';
import { lossHyperOf } from './kernelHypers';
import { packInfluenced, unpackInfluence } from './promptInfluence';
import { stackTurns } from './stackTurns';

/**
 * `PolicyApi.promptInfluence` on the compiled engine: one pass forwards and backwards with cross-entropy as the loss, into the arena that
 * the next update overwrites anyway. What is read back is the gradient of the residual stream before the first layer, which the pass
 * leaves in `streamGradient` on its way to the embedding table; it is small enough to be reduced to norms off the device.
 */
export async function influenceCompiled(
  state: CompiledState,
  turns: ScoreTurns,
): Promise<Float32Array> {
  const { stage, readback, cache, hypers, weights, gradients, cohort } = state;
  if (turns.replicas.length === 0) return new Float32Array();
  const byReplica = groupRows(turns.replicas.keys(), (row) => turns.replicas[row]!);
  const packed = hypers.map((_, replica) => {
    const rows = byReplica.get(replica);
    return rows === undefined ? null : packInfluenced(turns, rows);
  });
  const stacked = stackTurns(
    packed.map((own) => own && { packed: own, objective: 'supervised', refLogprobs: null }),
  );
  const { shape } = stacked;
  stage.reserve([shape]);
  const plans = await Promise.all([
    stage.plan(shape, { kind: 'forward', weights }),
    stage.plan(shape, { kind: 'gradient', gradients }),
  ]);
  stage.upload(
    stacked,
    hypers.map(({ loss }) => lossHyperOf('supervised', loss, 1)),
  );
  const { hiddenSize } = cohort.architecture;
  const perReplica = shape.numSequences * shape.length * hiddenSize;
  const reading = readback.begin(hypers.length * perReplica);
  const encoder = cache.device.createCommandEncoder();
  encodePlans(encoder, plans);
  reading.copy(encoder, stage.memory().pass.streamGradient, hypers.length * perReplica);
  cache.device.queue.submit([encoder.finish()]);
  const [read] = await reading.finish();
  const parts = Array.from(byReplica, ([replica, rows]) => {
    const own = packed[replica]!;
    return {
      rows,
      packed: own,
      gradient: read!.subarray(replica * perReplica, (replica + 1) * perReplica),
      stride: shape.length,
      // The loss weighs a turn by how many equal ones there are.
      scaleOf: (turn: number) => own.turnCounts[turn]!,
    };
  });
  return unpackInfluence(turns, parts, hiddenSize);
}
