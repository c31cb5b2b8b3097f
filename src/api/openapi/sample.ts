/** An example for a schema that has none of its own. */
import type { JsonObject } from '../../lib/jsonSchema.js';
import { getOwn } from '../../lib/getOwn.js';

const INSTANT = '2026-01-31T12:00:00.000Z';
const ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';

/** Values for common names; they show a caller the form of such a value. */
const USUAL: Readonly<Record<string, unknown>> = {
  name: 'Auto insurance',
  vertical: 'Auto insurance',
  email: 'leads@acme.example',
  phone: '+14155550134',
  location: 'Austin, TX',
  state: 'CA',
  zip_code: '94103',
  prefix: 'lw_live_7Qx2',
  api_key: 'lw_live_7Qx2mV0cT5…',
  method: 'WEBHOOK',
  price: 25.5,
  cost: 12,
  revenue: 25.5,
  profit: 13.5,
  cost_per_lead: 12,
  weight: 1,
  priority: 1,
  max_sells: 1,
  version: 3,
  plan_version: 3,
  answer_within_ms: 2_000,
  window_days: 30,
  daily_cap: 100,
};

/** Fields that are usually null. */
const OFTEN_NULL =
  /^(duplicate_of|revoked_at|error|next_cursor|schedule|zips|filters|detail|(hourly|weekly|monthly|total)_cap|daily_caps|\w+_budget)$/;

/**
 * A value that fits the schema: its own example if it has one, otherwise the usual value for its name.
 * @param schema without references
 */
export function sample(schema: JsonObject, name = ''): unknown {
  const { examples, enum: words, anyOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return sampleOfAny(anyOf as JsonObject[], name);
  const usual: unknown = getOwn(USUAL, name);
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return sampleObject(schema);
    case 'array':
      return [sample((schema.items ?? {}) as JsonObject, name)];
    case 'string':
      if (schema.format === 'date-time') return INSTANT;
      if (schema.format === 'date') return INSTANT.slice(0, 10);
      if (/(^|_)id$/.test(name)) return ID;
      return typeof usual === 'string' ? usual : name.replaceAll('_', ' ');
    case 'integer':
    case 'number':
      return typeof usual === 'number' ? usual : (schema.minimum ?? 1);
    case 'boolean':
      return schema.default ?? false;
    default:
      return null;
  }
}

function sampleOfAny(options: readonly JsonObject[], name: string): unknown {
  const takesNull = options.some(({ type }) => type === 'null');
  if (takesNull && OFTEN_NULL.test(name)) return null;
  return sample(options.find(({ type }) => type !== 'null') ?? {}, name);
}

const sampleObject = ({ properties = {} }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties as Record<string, JsonObject>).map(([key, inner]) => [
      key,
      sample(inner, key),
    ]),
  );
