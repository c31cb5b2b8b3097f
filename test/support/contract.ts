/** Whether real answers match the API description. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { apiDescription } from '../../src/api/openapi/description.js';
import type { JsonObject } from '../../src/lib/jsonSchema.js';
import type { HttpReply } from './http.js';

export interface Operation {
  operationId: string;
  tags: string[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
  [key: string]: unknown;
}
export interface Media {
  schema: JsonObject;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonObject>;
    responses: Record<string, { content?: Record<string, Media> }>;
  };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
}

/** With each reference to a response replaced by the response; those to schemas stay. */
export function readDocument(addresses = {}): ApiDocument {
  const document = JSON.parse(apiDescription(addresses)().bytes.toString('utf8')) as ApiDocument;
  for (const { responses } of Object.values(document.paths).flatMap(Object.values) as Operation[])
    for (const [status, { $ref }] of Object.entries(responses) as [string, { $ref?: string }][])
      if ($ref !== undefined)
        responses[status] = document.components.responses[$ref.split('/').at(-1) ?? ''] ?? {};
  return document;
}

interface Contract {
  document: ApiDocument;
  /** The faults of a value, in the validator's words; empty: none. */
  faults: (pointer: readonly string[], value: unknown) => string[];
}

let made: Contract | undefined;

export const contract = (): Contract => (made ??= createContract(readDocument()));

function createContract(document: ApiDocument): Contract {
  // A validator is used for a few values: making it quickly pays more than making it quick.
  const quickly = { code: { optimize: false }, inlineRefs: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quickly });
  ajv.addFormat('date-time', (text: string) => text === new Date(text).toISOString());
  ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/);
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addSchema(document, 'api');
  const checks = new Map<string, ValidateFunction>();
  /** Most answers are described by the same few schemas, word for word: each has one validator. */
  const checkOf = (pointer: readonly string[]): ValidateFunction => {
    const text = JSON.stringify(at(document, pointer));
    const ref = `api#/${pointer.map((part) => encodeURIComponent(escaped(part))).join('/')}`;
    const check = checks.get(text) ?? ajv.getSchema(ref);
    if (!check) throw new Error(`${ref} is not in the description of the API`);
    checks.set(text, check);
    return check;
  };
  const known = new Map<string, ValidateFunction>();
  return {
    document,
    faults(pointer, value) {
      const place = pointer.join('\n');
      const check = known.get(place) ?? checkOf(pointer);
      known.set(place, check);
      return check(value) ? [] : [ajv.errorsText(check.errors)];
    },
  };
}

const at = (document: object, pointer: readonly string[]): unknown =>
  pointer.reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], document);

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** @throws {Error} when the document does not describe the answer's status or shape */
export function expectDescribed(method: 'get' | 'post', url: string, reply: HttpReply): void {
  const { document, faults } = contract();
  const { pathname } = new URL(url);
  const path = document.paths[pathname] ? pathname : '/api/v1/actions/{action}';
  const type = reply.headers['content-type']?.split(';')[0] ?? '';
  const described = document.paths[path]?.[method]?.responses ?? {};
  // Refusals that any request may meet are described once, as the default; no success is.
  const isDefault = reply.status >= 400 && !(String(reply.status) in described);
  const status = isDefault ? 'default' : String(reply.status);
  const media = described[status]?.content?.[type];
  const name = `${method} ${path}: ${reply.status} ${type}`;
  if (!media) throw new Error(`${name} is not in the description of the API\n${reply.text}`);
  // The document has `success` as a plain boolean, whose description says which it is.
  const isSuccess: unknown = reply.json?.success ?? reply.status < 400;
  if (isSuccess !== reply.status < 400) throw new Error(`${name}: wrong success\n${reply.text}`);
  const at = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
  const wrong = faults(at, reply.json);
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.join('\n')}\n${reply.text}`);
}
