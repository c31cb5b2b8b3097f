/** Equal answers of several operations, such as of all that change a campaign, are written once. */
import type { JsonObject } from '../../lib/jsonSchema.js';
import { wordOf } from './forms.js';

interface Operation {
  operationId: string;
  responses: JsonObject;
}

/** The document with each answer that several operations have as a component. */
export function withSharedAnswers(document: JsonObject): JsonObject {
  const components = document.components as { responses: JsonObject };
  const operations = Object.values(document.paths as JsonObject).flatMap((methods) =>
    Object.values(methods as JsonObject),
  ) as Operation[];
  const places = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const text of answersOf(operation))
      places.set(text, [...(places.get(text) ?? []), operation]);
  const shared = [...places].filter(([, having]) => having.length > 1);
  const names = new Map(shared.map(([text, [first]]) => [text, nameOf(first)]));
  const write = (answer: unknown): unknown => {
    const name = names.get(JSON.stringify(answer));
    return name === undefined ? answer : { $ref: `#/components/responses/${name}` };
  };
  const paths = mapValues(document.paths as JsonObject, (methods) =>
    mapValues(methods as JsonObject, (operation) => ({
      ...(operation as JsonObject),
      responses: mapValues((operation as Operation).responses, write),
    })),
  );
  const added = [...names].map(([text, name]) => [name, JSON.parse(text) as unknown]);
  const responses = { ...components.responses, ...(Object.fromEntries(added) as JsonObject) };
  return { ...document, paths, components: { ...components, responses } };
}

/** Its answers as JSON; those that are components already are left out. */
const answersOf = ({ responses }: Operation): string[] =>
  Object.values(responses).flatMap((answer) =>
    '$ref' in (answer as JsonObject) ? [] : JSON.stringify(answer),
  );

/** By the first operation that has it. */
const nameOf = (operation: Operation | undefined): string =>
  `${wordOf(operation?.operationId ?? '')}Answer`;

const mapValues = (from: JsonObject, change: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
