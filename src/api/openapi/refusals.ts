/** The refusals of an operation, by status (contract 1.3). */
import { withoutKeys } from '../../lib/defined.js';
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js';
import type { Endpoint } from '../http/endpoint.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import { headersOf } from './headers.js';
import { REFUSAL_TEXTS } from './refusalTexts.js';
import type { NamedSchemas } from './schemas.js';

/** Refused before the endpoint is known: never with `success`. */
const OF_EVERY_REQUEST = ['malformed_request', 'request_timeout', 'headers_too_large'] as const;
const OF_A_BODY = ['malformed_body', 'body_too_large', 'unsupported_media_type'] as const;
const REQUEST_ID = '6f1f3c1e-9d5b-4a55-8d1b-0d8a4f7f3a52';

type Refusable = Pick<Endpoint, 'auth' | 'input' | 'errors' | 'answerHeaders'>;

/**
 * The responses of an operation by status, each with its codes, their meaning and an example: what the endpoint declares,
 * and what every request can be refused for.
 */
export function refusalsOf(endpoint: Refusable, { refer }: NamedSchemas): JsonObject {
  const given = new Set<ErrorCode>([
    ...endpoint.errors,
    ...(endpoint.input ? OF_A_BODY : []),
    ...OF_EVERY_REQUEST,
    'internal',
  ]);
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => given.has(code));
  const statuses = new Set(codes.map((code) => ERROR_STATUS[code]));
  const responses = [...statuses].map((status) => {
    const some = codes.filter((code) => ERROR_STATUS[code] === status);
    return [String(status), responseOf(endpoint, status, some, refer)];
  });
  return Object.fromEntries(responses) as JsonObject;
}

function responseOf(
  endpoint: Refusable,
  status: number,
  codes: readonly ErrorCode[],
  refer: NamedSchemas['refer'],
): JsonObject {
  const isEnveloped = (code: ErrorCode): boolean =>
    endpoint.auth === 'organisation' && !OF_EVERY_REQUEST.some((early) => early === code);
  const plain = codes.filter((code) => !isEnveloped(code));
  const enveloped = codes.filter(isEnveloped);
  const schemas = [
    ...(enveloped.length === 0 ? [] : [narrowed(refer('ActionRefusal'), enveloped)]),
    ...(plain.length === 0 ? [] : [narrowed(refer('Refusal'), plain)]),
  ];
  const examples = codes.map((code) => [
    code,
    { summary: REFUSAL_TEXTS[code].when, value: exampleOf(code, isEnveloped(code)) },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${REFUSAL_TEXTS[code].when}`).join('\n\n'),
    headers: headersOf(endpoint, status),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: Object.fromEntries(examples) as JsonObject,
      },
    },
  };
}

/** One of these codes, and no other. */
const narrowed = (schema: JsonObject, codes: readonly ErrorCode[]): JsonObject => ({
  allOf: [schema, { type: 'object', properties: { error: { type: 'string', enum: codes } } }],
});

const exampleOf = (error: ErrorCode, isEnveloped: boolean): JsonObject => ({
  success: isEnveloped ? false : undefined,
  error,
  request_id: REQUEST_ID,
  ...withoutKeys(REFUSAL_TEXTS[error], ['when']),
});
