/** An endpoint of the table as an operation of the document. */
import { z } from 'zod';
import type { Endpoint } from '../http/endpoint.js';
import { jsonSchema, type JsonObject } from '../schemas/jsonSchema.js';
import { headersOf } from './headers.js';
import { withNulls } from './nulls.js';
import { refusalsOf } from './refusals.js';
import { sample } from './sample.js';
import type { NamedSchemas } from './schemas.js';
import { securityOf } from './security.js';
import { titleOf } from './tags.js';

/** What is described of an endpoint, whatever it needs to run. */
export type Described = Omit<Endpoint, 'handle'>;

const FORM = 'application/x-www-form-urlencoded';
const REASONS: Readonly<Record<number, string>> = {
  200: 'It is done.',
  201: 'It is done, and something was made.',
  304: 'It is still what If-None-Match names.',
  503: 'Not now.',
};

/** `/a/:b` in the words of OpenAPI. */
export const pathOf = ({ path }: Described): string => path.replaceAll(/:(\w+)/g, '{$1}');

export function operationOf(endpoint: Described, named: NamedSchemas): JsonObject {
  const { id, summary, description, tag, who } = endpoint;
  const parameters = parametersOf(endpoint);
  const body = requestBody(endpoint, named);
  return {
    operationId: id,
    ...{ summary, description, tags: [titleOf(tag)], security: securityOf(who) },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...answersOf(endpoint, named), ...refusalsOf(endpoint, named) },
  };
}

const PLACES = { path: 'params', query: 'query', header: 'headers' } as const;

function parametersOf(endpoint: Described): JsonObject[] {
  return Object.entries(PLACES).flatMap(([place, key]) => {
    const { properties = {}, required = [] } = endpoint[key]
      ? jsonSchema(endpoint[key], 'input')
      : {};
    return Object.entries(properties as Record<string, JsonObject>).map(
      ([name, { description, ...schema }]) => ({
        ...{ name, in: place, description, schema },
        ...((required as string[]).includes(name) ? { required: true } : {}),
      }),
    );
  });
}

function requestBody(
  { input, readsBody, who }: Described,
  { lift }: NamedSchemas,
): JsonObject | null {
  if (!input) return null;
  const { description, examples, ...schema } = jsonSchema(input, 'input');
  // Ingest has its own rules, and its schema has them.
  const body = who === 'organisation' ? withNulls(schema) : schema;
  const media = { schema: lift(body), ...exampleIn(examples) };
  return {
    description,
    required: readsBody !== true,
    content: {
      'application/json': media,
      // Suppliers' systems are often forms.
      ...(who === 'supplier' ? { [FORM]: media } : {}),
    },
  };
}

function answersOf(endpoint: Described, named: NamedSchemas): JsonObject {
  const answers = Object.entries(endpoint.outputs).map(([status, output]) => [
    status,
    answerOf(endpoint, Number(status), output, named),
  ]);
  return Object.fromEntries(answers) as JsonObject;
}

function answerOf(
  endpoint: Described,
  status: number,
  output: z.ZodType,
  { lift }: NamedSchemas,
): JsonObject {
  const headers = headersOf(endpoint, status);
  const usual = REASONS[status] ?? 'The answer.';
  if (output instanceof z.ZodVoid) return { description: output.description ?? usual, headers };
  const { description = usual, examples, ...schema } = jsonSchema(output, 'output');
  const shown = Array.isArray(examples) ? examples : [sample(schema)];
  const media = { schema: lift(schema), ...exampleIn(shown) };
  return { description, headers, content: { [endpoint.produces ?? 'application/json']: media } };
}

const exampleIn = (examples: unknown): JsonObject =>
  Array.isArray(examples) ? { example: examples[0] as unknown } : {};
