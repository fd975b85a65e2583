type Check = (value: unknown) => boolean;
type Model = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOneOf =
  (...words: string[]): Check =>
  (value) =>
    words.some((word) => word === value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isSource = isOneOf('user', 'agent', 'environment');

/** `class_` → its fields, after the Pydantic models of agent-data-protocol 1.2.0 (extra="forbid"), written apart from our schema. */
const models: Readonly<Record<string, Model>> = {
  api_action: { class_: isText, function: isText, kwargs: isObject },
  code_action: { class_: isText, language: isText, content: isText },
  message_action: { class_: isText, content: isText },
  text_observation: { class_: isText, content: isText, source: isSource, name: optional(isText) },
  image_observation: {
    class_: isText,
    content: isText,
    source: isSource,
    annotations: optional(Array.isArray),
  },
  web_observation: {
    class_: isText,
    html: optional(isText),
    axtree: optional(isText),
    url: optional(isText),
    image_observation: optional(isObject),
    viewport_size: optional(Array.isArray),
  },
};

const ofActions: Model = { description: optional(isText), reasoning_content: optional(isText) };

const trajectory: Model = {
  schema_version: isOneOf('1.2.0', '1.1.0', '1.0.0'),
  id: isText,
  content: Array.isArray,
  available_apis: optional(Array.isArray),
  details: isObject,
};

function fieldFaults(path: string, value: Record<string, unknown>, model: Model): string[] {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(model, key));
  const wrong = Object.keys(model).filter((key) => !model[key]!(value[key]));
  return [...unknown, ...wrong].map((key) => `${path}${key}`);
}

/** Paths at which a value is not ADP 1.2.0. */
export function adpFaults(value: unknown): string[] {
  if (!isObject(value)) return [''];
  const items: unknown[] = Array.isArray(value['content']) ? value['content'] : [];
  const inside = items.flatMap((item, i) => {
    const name = isObject(item) ? String(item['class_']) : '';
    const model = models[name];
    if (!isObject(item) || model === undefined) return [`content.${i}`];
    const more = name.endsWith('_action') ? ofActions : {};
    return fieldFaults(`content.${i}.`, item, { ...model, ...more, reward: optional(isNumber) });
  });
  return [...fieldFaults('', value, trajectory), ...inside];
}
