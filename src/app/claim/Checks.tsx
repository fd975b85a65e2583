interface ChecksProps<T extends string> {
  readonly legend: string;
  readonly known: readonly {
    readonly name: T;
    readonly label: string;
    readonly meaning?: string;
  }[];
  readonly chosen: readonly T[];
  /** At least one, in the order of `known`. */
  readonly onChange: (chosen: T[]) => void;
}

/** Some of a few. The last one cannot be taken away: an empty table says nothing. */
export function Checks<T extends string>({ legend, known, chosen, onChange }: ChecksProps<T>) {
  const toggled = (name: T): T[] =>
    known.map((entry) => entry.name).filter((other) => chosen.includes(other) !== (other === name));
  return (
    <fieldset className="comparison-choices">
      <legend>{legend}</legend>
      {known.map(({ name, label, meaning }) => (
        <label key={name} title={meaning}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            disabled={chosen.length === 1 && chosen.includes(name)}
            onChange={() => onChange(toggled(name))}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface AgentChecksProps {
  /** Of the experiment. */
  readonly known: readonly string[];
  readonly chosen: 'all' | readonly string[];
  /** `all` where every one is chosen: then it follows the experiment when its world changes. */
  readonly onChange: (chosen: 'all' | string[]) => void;
}

/** Which agents a cell shows; one that the experiment does not have is offered as long as it is chosen. */
export function AgentChecks({ known, chosen, onChange }: AgentChecksProps) {
  const listed = chosen === 'all' ? known : chosen;
  const offered = [...known, ...listed.filter((name) => !known.includes(name))];
  return (
    <Checks
      legend="Agents"
      known={offered.map((name) => ({ name, label: name }))}
      chosen={listed}
      onChange={(next) => onChange(isEveryone(next, known) ? 'all' : next)}
    />
  );
}

function isEveryone(chosen: readonly string[], all: readonly string[]): boolean {
  return chosen.length === all.length && all.every((name) => chosen.includes(name));
}
