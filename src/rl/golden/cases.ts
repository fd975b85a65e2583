/** What a golden file holds. Numbers that JSON cannot write are the strings "NaN", "Infinity", "-Infinity". */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The object at `path`; throws a TypeError naming the path otherwise. */
export function toRecord(json: Json | undefined, path: string): Record<string, Json> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new TypeError(`${path} is ${JSON.stringify(json)}: expected an object.`);
  return json;
}

/** The list at `path`; throws a TypeError naming the path otherwise. */
export function toList(json: Json | undefined, path: string): Json[] {
  if (!Array.isArray(json))
    throw new TypeError(`${path} is ${JSON.stringify(json)}: expected a list.`);
  return json;
}

/** The text at `path`; throws a TypeError naming the path otherwise. */
export function toText(json: Json | undefined, path: string): string {
  if (typeof json !== 'string')
    throw new TypeError(`${path} is ${JSON.stringify(json)}: expected a string.`);
  return json;
}

/** The number at `path`, also a written-out non-finite one; throws a TypeError naming the path otherwise. */
export function toNumber(json: Json | undefined, path: string): number {
  if (typeof json === 'number') return json;
  if (json === 'NaN') return NaN;
  if (json === 'Infinity') return Infinity;
  if (json === '-Infinity') return -Infinity;
  throw new TypeError(`${path} is ${JSON.stringify(json)}: expected a number.`);
}

/** The numbers at `path`, nested lists flattened row-major; throws a TypeError naming the path otherwise. */
export function toNumbers(json: Json | undefined, path: string): Float64Array {
  const numbers: number[] = [];
  const append = (entry: Json): void => {
    if (Array.isArray(entry)) entry.forEach(append);
    else numbers.push(toNumber(entry, path));
  };
  append(toList(json, path));
  return Float64Array.from(numbers);
}

const files = import.meta.glob<Json>('./*.json', { eager: true, import: 'default' });

/** What every case has. */
export interface Case {
  readonly id: string;
  /** Relative and absolute. */
  readonly tolerance: number;
}

/** A case as the file has it. */
interface RawCase extends Case {
  readonly input: Record<string, Json>;
  readonly expected: Record<string, Json>;
}

/** The whole of `name`.json. */
export function fileOf(name: string): Record<string, Json> {
  return toRecord(files[`./${name}.json`], name);
}

/** All cases of `name`.json. */
export function casesOf(name: string): RawCase[] {
  const file = fileOf(name);
  return toList(file['cases'], `${name}.cases`).map((json, index) => {
    const raw = toRecord(json, `${name}.cases.${index}`);
    const id = toText(raw['id'], `${name}.cases.${index}.id`);
    return {
      id,
      tolerance: toNumber(raw['tolerance'] ?? file['tolerance'], `${name}.tolerance`),
      input: toRecord(raw['input'], `${id}.input`),
      expected: toRecord(raw['expected'], `${id}.expected`),
    };
  });
}

/** The one case of `name`.json; throws a RangeError if it has more. */
export function onlyCase(name: string): RawCase {
  const [first, ...rest] = casesOf(name);
  if (first === undefined || rest.length > 0)
    throw new RangeError(`${name}.json has ${rest.length + 1} cases: expected one.`);
  return first;
}
