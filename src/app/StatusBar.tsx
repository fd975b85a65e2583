import { fields } from '../config/fields';
import { formatCount, formatNumber } from '../metrics/format';
import type { PolicyStatus } from '../protocol/trainerApi';
import { isActive, tokensPerSecond, type RunState } from './runState';
import { useRun } from './runStore';

/** Where the policies run, how far they are from the reference, how large they are and how fast. */
export function StatusBar() {
  const policies = useRun((state) => state.policies);
  const throughput = useRun(throughputText);
  const numWorkers = useRun(({ phase, policies: { length } }) =>
    isActive(phase) ? 1 + length : 0,
  );
  return (
    <footer className="status-bar">
      <dl>
        <Entry name="Backend" value={backendText(policies)} />
        <Entry name="Device" value={deviceText(policies)} />
        <Entry name="Self-test" value={selfTestText(policies)} />
        <Entry name="Parameters" value={parametersText(policies)} />
        <Entry name="Workers" value={String(numWorkers)} />
        <Entry name="Throughput" value={throughput} />
      </dl>
    </footer>
  );
}

function Entry({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="status-entry">
      <dt>{name}</dt>
      <dd title={value}>{value}</dd>
    </div>
  );
}

const unknown = '–';

function unique(values: readonly string[]): string {
  return values.length === 0 ? unknown : [...new Set(values)].join(', ');
}

function backendText(policies: readonly PolicyStatus[]): string {
  return unique(policies.map(({ backend }) => fields.backend.options[backend]));
}

function deviceText(policies: readonly PolicyStatus[]): string {
  return unique(policies.map(({ device }) => device));
}

/** The largest deviation of any policy from the reference model. */
function selfTestText(policies: readonly PolicyStatus[]): string {
  const tested = policies.flatMap(({ selfTest }) => selfTest ?? []);
  if (policies.length === 0) return unknown;
  if (tested.length === 0) return 'is the reference';
  const logits = Math.max(...tested.map((deviation) => deviation.logits));
  const gradients = Math.max(...tested.map((deviation) => deviation.gradients));
  return `logits ±${formatNumber(logits)}, gradients ±${formatNumber(gradients)}`;
}

/** Of one replica, all policies together, and how many replicas are stacked. */
function parametersText(policies: readonly PolicyStatus[]): string {
  if (policies.length === 0) return unknown;
  const total = policies.reduce(
    (sum, { numParameters, numReplicas }) => sum + numParameters * numReplicas,
    0,
  );
  return `${formatCount(total)} in ${policies.length} policies`;
}

function throughputText(state: RunState): string {
  const rate = tokensPerSecond(state);
  return rate === null ? unknown : `${formatCount(rate)} tokens/s`;
}
