import { agentIdsOf, type EnvironmentSpec } from '../config/experimentSpec';
import { valueAt } from '../config/formFields';
import { highlightAgent } from './agentHighlight';
import { useSpec } from './specStore';

type World = EnvironmentSpec['kind'];

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Sketch {
  /** One an agent, in the order of `agentIdsOf`. */
  readonly places: readonly Place[];
  /** Who hands over to whom, as SVG paths, each with what is handed over. */
  readonly edges: readonly {
    readonly path: string;
    readonly label: string;
    readonly at: Place;
    readonly isDashed?: boolean;
  }[];
  /** The picture in words. */
  readonly description: string;
}

const sketches: Readonly<Record<World, Sketch>> = {
  routeSearchAnswer: {
    places: [
      { x: 42, y: 56 },
      { x: 178, y: 24 },
      { x: 178, y: 88 },
    ],
    edges: [
      { path: 'M60 46 156 24', label: 'look up', at: { x: 98, y: 25 } },
      { path: 'M164 36 66 59', label: 'result', at: { x: 122, y: 61 }, isDashed: true },
      { path: 'M60 66 156 87', label: 'reply', at: { x: 98, y: 91 } },
    ],
    description:
      'The router reads the question and calls the search agent, whose result comes back to the router, or the answer agent, which ends the episode.',
  },
  solveVerify: {
    places: [
      { x: 42, y: 56 },
      { x: 178, y: 56 },
    ],
    edges: [
      { path: 'M62 48C90 34 130 34 156 47', label: 'solution', at: { x: 109, y: 29 } },
      {
        path: 'M158 65C130 78 90 78 64 66',
        label: 'try again',
        at: { x: 109, y: 90 },
        isDashed: true,
      },
    ],
    description:
      'The solver writes a solution and the verifier accepts it or sends it back for another try.',
  },
  planExecute: {
    places: [
      { x: 42, y: 56 },
      { x: 178, y: 56 },
    ],
    edges: [
      { path: 'M62 48C90 34 130 34 156 47', label: '0 … d sub-calls', at: { x: 109, y: 29 } },
      {
        path: 'M158 65C130 78 90 78 64 66',
        label: 'reports',
        at: { x: 109, y: 90 },
        isDashed: true,
      },
    ],
    description:
      'The planner calls the executor as often as it likes, in parallel; each call looks something up and reports, and the planner puts the reports together.',
  },
};

function isWorld(value: unknown): value is World {
  return typeof value === 'string' && Object.hasOwn(sketches, value);
}

/** Who talks to whom, who uses which policy, and in which colour each agent is drawn everywhere on the page. */
export function TeamSketch() {
  const draft = useSpec((state) => state.draft);
  const world = valueAt(draft, 'environment.kind');
  if (!isWorld(world)) return null;
  const sketch = sketches[world];
  const agents = agentIdsOf[world].map((agent) => ({
    agent,
    policy: String(valueAt(draft, `agents.${agent}.policy`)),
  }));
  const policies = agents.map(({ agent, policy }) => `${agent} uses policy ${policy}`).join(', ');
  return (
    <figure className="team">
      <svg viewBox="0 0 290 112" role="img" aria-label={`${sketch.description} ${policies}.`}>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 .8 7.2 4 0 7.2z" className="team-arrow" />
          </marker>
        </defs>
        {sketch.edges.map(({ path, label, at, isDashed }) => (
          <g key={label}>
            <path
              d={path}
              className="team-edge"
              strokeDasharray={isDashed ? '3 3' : undefined}
              markerEnd="url(#arrow)"
            />
            <text x={at.x} y={at.y} className="team-edge-label" textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        {agents.map(({ agent, policy }, index) => (
          <AgentNode
            key={agent}
            agent={agent}
            policy={policy}
            place={sketch.places[index]}
            index={index}
          />
        ))}
      </svg>
    </figure>
  );
}

interface AgentNodeProps {
  readonly agent: string;
  readonly policy: string;
  readonly place: Place | undefined;
  readonly index: number;
}

function AgentNode({ agent, policy, place, index }: AgentNodeProps) {
  if (place === undefined) return null;
  const isFirst = index === 0;
  // The first agent has the arrows on its right, so its name stands below it.
  const [x, y] = isFirst ? [place.x, place.y + 26] : [place.x + 18, place.y - 1];
  const anchor = isFirst ? 'middle' : 'start';
  return (
    <g onPointerEnter={() => highlightAgent(agent)} onPointerLeave={() => highlightAgent(null)}>
      <circle cx={place.x} cy={place.y} r="12" fill={`var(--agent-${index})`} />
      <text x={x} y={y} textAnchor={anchor} className="team-agent">
        {agent}
      </text>
      <text x={x} y={y + 12} textAnchor={anchor} className="team-policy">
        {policy === agent ? 'own policy' : `policy ${policy}`}
      </text>
    </g>
  );
}
