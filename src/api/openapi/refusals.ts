/** The refusals of an operation, by status (contract 1.3). */
import { withoutKeys } from '../../lib/defined.js';
import { ERROR_STATUS, type ErrorCode } from '../../lib/errors.js';
import type { Endpoint } from '../http/endpoint.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import { wordOf } from './forms.js';
import { headersOf } from './headers.js';
import { REFUSAL_TEXTS } from './refusalTexts.js';
import type { NamedSchemas } from './schemas.js';

/** Refused before the endpoint is known: never with `success`. */
const OF_EVERY_REQUEST = ['malformed_request', 'request_timeout', 'headers_too_large'] as const;
const OF_A_BODY = ['malformed_body', 'body_too_large', 'unsupported_media_type'] as const;
/** What any request can be refused for, wherever it goes: one answer of the document, `default`, instead of five. */
const OF_ANY: readonly ErrorCode[] = [
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'headers_too_large',
  'internal',
];
const REQUEST_ID = '6f1f3c1e-9d5b-4a55-8d1b-0d8a4f7f3a52';

type Refusable = Pick<Endpoint, 'auth' | 'input' | 'errors' | 'answerHeaders'>;

/** A response with the name that it has among the components. */
export interface NamedResponse {
  name: string;
  response: JsonObject;
}

/**
 * The refusals of an operation by status, each with its codes, their meaning and an example: what the endpoint declares,
 * and what every request can be refused for. Those of one name are equal, whichever operation has them.
 */
export function refusalsOf(
  endpoint: Refusable,
  named: NamedSchemas,
): Record<string, NamedResponse> {
  const given = new Set<ErrorCode>([
    ...endpoint.errors,
    ...(endpoint.input ? OF_A_BODY : []),
    ...OF_EVERY_REQUEST,
    'internal',
  ]);
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => given.has(code));
  const groups = Object.entries(Object.groupBy(codes, statusOf));
  const responses = groups.map(([status, some = []]): [string, NamedResponse] => {
    const name = nameOf(endpoint, status, some);
    return [status, { name, response: responseOf(endpoint, { name, status, codes: some }, named) }];
  });
  return Object.fromEntries(responses);
}

const statusOf = (code: ErrorCode): string =>
  OF_ANY.includes(code) ? 'default' : String(ERROR_STATUS[code]);

/**
 * By its codes, and by who is refused: bodies and headers differ. What every request of its kind can be refused for is left out
 * beside others.
 */
function nameOf({ auth, input }: Refusable, status: string, codes: readonly ErrorCode[]): string {
  if (status === 'default')
    return `${auth === 'organisation' ? '' : 'Other'}Any${input ? 'Request' : 'Query'}`;
  const whose = auth === 'organisation' ? '' : auth === 'public' ? 'Public' : 'Partner';
  const usual: readonly ErrorCode[] = [...OF_EVERY_REQUEST, ...OF_A_BODY];
  const own = codes.filter((code) => !usual.includes(code));
  if (own.length === 0 || own.length === codes.length)
    return `${whose}${codes.map(wordOf).join('Or')}`;
  return `${whose}${own.map(wordOf).join('Or')}${input ? '' : 'OfQuery'}`;
}

interface Refused {
  name: string;
  status: string;
  codes: readonly ErrorCode[];
}

function responseOf(
  endpoint: Refusable,
  { name, status, codes }: Refused,
  { refer, define }: NamedSchemas,
): JsonObject {
  const isEnveloped = (code: ErrorCode): boolean =>
    endpoint.auth === 'organisation' && !OF_EVERY_REQUEST.some((early) => early === code);
  const plain = codes.filter((code) => !isEnveloped(code));
  const enveloped = codes.filter(isEnveloped);
  // Beside an enveloped one it is the same for every status: it has the name of its codes.
  const early = enveloped.length === 0 ? undefined : plain.map(wordOf).join('Or');
  const schemas = [
    ...(enveloped.length === 0
      ? []
      : [define(`${name}Body`, narrowed(refer('ActionRefusal'), enveloped))]),
    ...(plain.length === 0
      ? []
      : [define(`${early ?? name}Body`, narrowed(refer('Refusal'), plain))]),
  ];
  const examples = codes.map((code) => [code, { value: exampleOf(code, isEnveloped(code)) }]);
  return {
    description: codes.map((code) => said(code, status)).join('\n\n'),
    headers: headersOf(endpoint, Number(status)),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: Object.fromEntries(examples) as JsonObject,
      },
    },
  };
}

const said = (code: ErrorCode, status: string): string => {
  const which = status === 'default' ? ` (${ERROR_STATUS[code]})` : '';
  return `\`${code}\`${which}: ${REFUSAL_TEXTS[code].when}`;
};

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
