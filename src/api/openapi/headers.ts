/** The headers of requests and answers. */
import type { Endpoint } from '../http/endpoint.js';
import type { JsonObject } from '../../lib/jsonSchema.js';

const header = (description: string, schema: JsonObject, required = false): JsonObject => ({
  description,
  required: required || undefined,
  schema,
});

export const HEADERS = {
  RequestId: header(
    "The caller's own X-Request-Id, or a generated one; the log has it, too.",
    { type: 'string', examples: ['6f1f3c1e-9d5b-4a55-8d1b-0d8a4f7f3a52'] },
    true,
  ),
  RateLimitPolicy: header(
    'The limits: `q` calls within `w` seconds (draft-ietf-httpapi-ratelimit-headers-11).',
    { type: 'string', examples: ['"actions";q=120;w=60, "writes";q=30;w=60'] },
  ),
  RateLimit: header(
    "The caller's remaining quota: `r` calls left, and `t` seconds until the next reset.",
    {
      type: 'string',
      examples: ['"actions";r=119;t=60'],
    },
  ),
  RetryAfter: header(
    'Whole seconds after which to call again.',
    { type: 'integer', minimum: 1, examples: [2] },
    true,
  ),
  Challenge: header(
    'How to authenticate (RFC 6750).',
    { type: 'string', examples: ['Bearer realm="leadwire", error="invalid_token"'] },
    true,
  ),
  IdempotentReplayed: header(
    '`true`: the answer of an earlier request with the same Idempotency-Key.',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  ETag: header('Identifies this content; for If-None-Match.', { type: 'string' }, true),
} as const;

type HeaderName = keyof typeof HEADERS;

const FIELD_OF: Record<HeaderName, string> = {
  RequestId: 'X-Request-Id',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  RetryAfter: 'Retry-After',
  Challenge: 'WWW-Authenticate',
  IdempotentReplayed: 'Idempotent-Replayed',
  ETag: 'ETag',
};

const WAITS = [429, 503, 504];

/** The headers of an endpoint's answer with this status. */
export function headersOf(
  endpoint: Pick<Endpoint, 'auth' | 'answerHeaders'>,
  status: number,
): JsonObject {
  // The default refusal is one that no limit has counted.
  const isLimited = endpoint.auth !== 'public' && status !== 401 && !Number.isNaN(status);
  const names: HeaderName[] = [
    'RequestId',
    ...(isLimited ? (['RateLimit', 'RateLimitPolicy'] as const) : []),
    ...(WAITS.includes(status) ? (['RetryAfter'] as const) : []),
    ...(status === 401 && endpoint.auth === 'organisation' ? (['Challenge'] as const) : []),
    ...(status < 400 ? (endpoint.answerHeaders ?? []) : []),
  ];
  return Object.fromEntries(
    names.map((name) => [FIELD_OF[name], { $ref: `#/components/headers/${name}` }]),
  );
}
