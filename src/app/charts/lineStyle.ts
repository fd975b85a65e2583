import type { MetricKey } from '../../metrics/catalog';

/** Colour = agent, dash = arm, band = seeds; the same in charts, legends and tables. */

/** Hues of the page's stylesheet, `--agent-0` … ; further agents start over and are told apart by their labels. */
const numHues = 5;

/** Paint of an agent by its place in the experiment; the team, which is no agent, has the ink colour. */
export function agentColor(agents: readonly string[], agent: string): string {
  const index = agents.indexOf(agent);
  return index < 0 ? 'var(--ink)' : `var(--agent-${index % numHues})`;
}

/** SVG dash patterns in px, arm by arm; round dots are kept for predictions. An experiment has at most 8 arms. */
const armDashes = ['none', '7 3', '7 3 1.5 3', '3 3', '12 4', '12 3 3 3', '7 3 1.5 3 1.5 3', '2 5'];
const dots = '0.1 4';

interface LineDash {
  readonly strokeDasharray: string;
  readonly strokeLinecap: 'butt' | 'round';
}

/** Dash of an arm's line; dotted for what was predicted rather than measured. */
export function lineDash(armIndex: number, metric?: MetricKey): LineDash {
  return metric === 'advSecondMomentPredicted'
    ? { strokeDasharray: dots, strokeLinecap: 'round' }
    : { strokeDasharray: armDashes[armIndex % armDashes.length]!, strokeLinecap: 'butt' };
}
