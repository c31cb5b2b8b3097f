/** An endpoint of the table as an operation of the document. */
import { z } from 'zod';
import type { Endpoint } from '../http/endpoint.js';
import { jsonSchema, type JsonObject } from '../../lib/jsonSchema.js';
import { headersOf } from './headers.js';
import { withNulls } from './nulls.js';
import { refusalsOf, type NamedResponse } from './refusals.js';
import { sample } from './sample.js';
import type { NamedSchemas } from './schemas.js';
import { securityOf } from './security.js';
import { titleOf } from './tags.js';
import { getOwn } from '../../lib/getOwn.js';

/** The described part of an endpoint, without what it needs to run. */
export type Described = Omit<Endpoint, 'handle'>;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const REASONS: Readonly<Record<number, string>> = {
  200: 'The call succeeded.',
  201: 'The call succeeded and created a record.',
  304: 'Unchanged since the version that If-None-Match names.',
  503: 'Temporarily unavailable.',
};

/** `/a/:b` in the syntax of OpenAPI. */
export const pathOf = ({ path }: Described): string => path.replaceAll(/:(\w+)/g, '{$1}');

export function operationOf(endpoint: Described, named: NamedSchemas): JsonObject {
  const { id, summary, description, tag, auth } = endpoint;
  const parameters = parametersOf(endpoint);
  return {
    operationId: id,
    summary,
    description,
    tags: [titleOf(tag)],
    // The document says what holds for most.
    security: auth === 'organisation' ? undefined : securityOf(auth),
    ...(parameters.length > 0 ? { parameters } : {}),
    requestBody: requestBody(endpoint, named),
    responses: together(answersOf(endpoint, named), refusalsOf(endpoint, named), named),
  };
}

/**
 * Documented where a body may be a form. The service takes it in every call; here openapi-python-client writes a module that
 * fails when it is loaded, unless the operation has an optional parameter.
 */
const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'Your own name of the request, for the log and the answer: up to 100 visible ASCII characters',
  schema: { type: 'string', maxLength: 100 },
};

const PLACES = { path: 'params', query: 'query', header: 'headers' } as const;

function parametersOf(endpoint: Described): JsonObject[] {
  const declared = Object.entries(PLACES).flatMap(([place, key]) => {
    const { properties = {}, required = [] } = endpoint[key]
      ? jsonSchema(endpoint[key], 'input')
      : {};
    return Object.entries(properties as Record<string, JsonObject>).map(
      ([name, { description, ...schema }]) => ({
        name,
        in: place,
        description,
        schema,
        required: (required as string[]).includes(name) || undefined,
      }),
    );
  });
  return takesForms(endpoint) ? [...declared, REQUEST_ID] : declared;
}

/** Suppliers' and buyers' systems often send forms. */
const takesForms = ({ input, auth }: Described): boolean =>
  input !== undefined && (auth === 'supplier' || auth === 'buyer');

function requestBody(endpoint: Described, { lift }: NamedSchemas): JsonObject | undefined {
  const { input, readsBody, auth } = endpoint;
  if (!input) return undefined;
  const { description, examples, ...schema } = jsonSchema(input, 'input');
  // Ingest has its own rules, and its schema contains them.
  const body = auth === 'organisation' ? withNulls(schema) : schema;
  const media = { schema: lift(body), ...exampleIn(examples) };
  return {
    description,
    required: readsBody === true ? undefined : true,
    content: {
      [JSON_TYPE]: media,
      ...(takesForms(endpoint) ? { [FORM]: media } : {}),
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

interface Response {
  description: string;
  headers?: JsonObject;
  content?: Record<string, { schema: JsonObject }>;
}

/** An endpoint may answer a status in its own form, unless a refusal has that status already. */
function together(
  answers: JsonObject,
  refusals: Record<string, NamedResponse>,
  { answer }: NamedSchemas,
): JsonObject {
  const all = Object.entries(refusals).map(([status, { name, response }]) => {
    const own = getOwn(answers, status) as Response | undefined;
    const usual = response as unknown as Response;
    return [status, own === undefined ? answer(name, response) : either(own, usual)];
  });
  return { ...answers, ...(Object.fromEntries(all) as JsonObject) };
}

function either(declared: Response, refusal: Response): JsonObject {
  const schemas = [declared, refusal].flatMap(({ content }) => content?.[JSON_TYPE]?.schema ?? []);
  return {
    ...refusal,
    description: `${declared.description}\n\n${refusal.description}`,
    content: { [JSON_TYPE]: { ...refusal.content?.[JSON_TYPE], schema: { anyOf: schemas } } },
  };
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
  const shown = Array.isArray(examples) ? examples : shortSample(schema);
  const media = { schema: lift(schema), ...exampleIn(shown) };
  const content = {
    [endpoint.produces ?? JSON_TYPE]: media,
    ...(endpoint.streams && status === 200 ? { [EVENTS]: EVENTS_MEDIA } : {}),
  };
  return { description, headers, content };
}

/** Characters of an example that is made of a schema; a longer one says no more than the schema. */
const SAMPLE_MAX = 250;

function shortSample(schema: JsonObject): unknown[] | undefined {
  const made = sample(schema);
  return JSON.stringify(made).length <= SAMPLE_MAX ? [made] : undefined;
}

const EVENTS = 'text/event-stream';
const EVENTS_MEDIA = {
  schema: { type: 'string', description: 'The same JSON after `data: `, as a single event' },
  example: 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
};

const exampleIn = (examples: unknown): JsonObject =>
  Array.isArray(examples) ? { example: examples[0] as unknown } : {};
