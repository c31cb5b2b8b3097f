/** Repeated schemas become components: found by their form, named by their place, and the same once they are put back. */
import { describe, expect, it } from '@jest/globals';
import { singular, wordOf } from '../../../src/api/openapi/forms.js';
import { hoisted } from '../../../src/api/openapi/hoist.js';
import type { JsonObject } from '../../../src/lib/jsonSchema.js';

const text = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const status = (more: JsonObject = {}) => ({ type: 'string', enum: ['on', 'off'], ...more });
const LONG =
  'A text of some length, so that the schema is worth a name of its own among components';
const party = (more: JsonObject = {}) =>
  object(
    { id: { ...text, description: LONG }, email: { ...text, format: 'email', description: LONG } },
    more,
  );

const media = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
const operation = (operationId: string, output: JsonObject, input?: JsonObject) => ({
  post: {
    operationId,
    ...(input && { requestBody: media(input) }),
    responses: { 200: media(object({ data: output })) },
  },
});
const documentOf = (operations: JsonObject[], schemas: JsonObject = {}): JsonObject => ({
  paths: Object.fromEntries(operations.map((one, n) => [`/${n}`, one])),
  components: { schemas },
});

/** Each reference replaced by what it refers to. */
function resolved(value: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as JsonObject;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, resolved(inner, schemas)]),
  );
  if (typeof $ref !== 'string') return own;
  return { ...(resolved(schemas[$ref.split('/').at(-1) ?? ''], schemas) as JsonObject), ...own };
}

function namesIn(document: JsonObject): string[] {
  const made = hoisted(document);
  const { schemas } = made.components as { schemas: JsonObject };
  expect(resolved(made.paths, schemas)).toEqual(document.paths);
  return Object.keys(schemas);
}

describe('a schema that occurs twice', () => {
  it('is a component, once, with the text of each place where texts differ', () => {
    const document = documentOf([
      operation('get_lead', object({ buyer: party({ description: 'Who bought it' }) })),
      operation('get_return', object({ buyer: party({ description: 'Who returns it' }) })),
    ]);
    const made = hoisted(document);
    expect(made.components).toEqual({ schemas: { LeadBuyer: party() } });
    expect(JSON.stringify(made.paths)).toContain(
      '{"$ref":"#/components/schemas/LeadBuyer","description":"Who returns it"}',
    );
    expect(namesIn(document)).toEqual(['LeadBuyer']);
  });

  it('keeps a text that all places share', () => {
    const same = party({ description: 'A partner' });
    const document = documentOf([operation('get_lead', object({ buyer: same, seller: same }))]);
    expect(hoisted(document).components).toEqual({ schemas: { LeadBuyer: same } });
  });

  it('is named by its list in the singular, and by the operation where it is the answer', () => {
    const row = party();
    expect(
      namesIn(
        documentOf([
          operation('list_event_deliveries', { type: 'array', items: row }),
          operation('resend_event', row),
        ]),
      ),
    ).toEqual(['EventDelivery']);
    const sale = object(
      { at: text, state: status() },
      { description: LONG, title: LONG.repeat(2) },
    );
    const sales = { type: 'array', items: sale };
    expect(namesIn(documentOf([operation('get_lead', object({ sales, resales: sales }))]))).toEqual(
      ['LeadSale'],
    );
  });

  it('is an input by name where only callers send it', () => {
    const one = object({ schedule: party() });
    expect(namesIn(documentOf([operation('create_buyer', text, one)]))).toEqual([]);
    const two = object({ schedule: party(), second_schedule: party() });
    expect(namesIn(documentOf([operation('create_buyer', text, two)]))).toEqual([
      'BuyerScheduleInput',
    ]);
  });

  it('has the name of the answer where callers send the same', () => {
    const document = documentOf([
      operation('create_buyer', object({ ping_terms: party() }), object({ terms: party() })),
    ]);
    expect(namesIn(document)).toEqual(['PingTerms']);
  });

  it('is not named for what is in it, unless that occurs elsewhere', () => {
    const outer = object({ inner_part: party(), more: { ...text, description: LONG } });
    expect(namesIn(documentOf([operation('get_lead', object({ a: outer, b: outer }))]))).toEqual([
      'LeadA',
    ]);
    expect(
      namesIn(documentOf([operation('get_lead', object({ a: outer, b: outer, c: party() }))])),
    ).toEqual(['InnerPart', 'LeadA']);
  });
});

describe('a list of words', () => {
  it('is one component, whatever is said of it and with null or without', () => {
    const document = documentOf([
      operation('get_buyer', object({ status: status({ description: 'Now' }) })),
      operation('list_buyers', text, object({ status: { anyOf: [status(), { type: 'null' }] } })),
      operation('update_buyer', text, object({ status: status({ default: 'on' }) })),
    ]);
    expect(namesIn(document)).toEqual(['BuyerStatus']);
  });

  it('has a name of its own beside another list under the same key, without a number', () => {
    const other = { type: 'string', enum: ['A', 'B'] };
    const document = documentOf(
      [
        operation('get_buyer', object({ status: status(), old_status: status() })),
        operation('get_campaign', object({ status: other, buyer: object({ status: other }) })),
      ],
      { BuyerStatus: text },
    );
    const names = namesIn(document);
    expect(names).toEqual(['BuyerStatus', 'CampaignStatus', 'GetBuyerStatusReply']);
  });
});

describe('words of names', () => {
  it.each([
    ['leads', 'lead'],
    ['deliveries', 'delivery'],
    ['addresses', 'address'],
    ['statuses', 'status'],
    ['status', 'status'],
    ['access', 'access'],
  ])('the singular of %s is %s', (many, one) => {
    expect(singular(many)).toBe(one);
  });

  it('begin with capitals', () => {
    expect([wordOf('daily_caps'), wordOf('lookUpLead'), wordOf('X-Id')]).toEqual([
      'DailyCaps',
      'LookUpLead',
      'XId',
    ]);
  });
});
