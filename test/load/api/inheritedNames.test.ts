/**
 * Names that every object inherits (`constructor`, `__proto__`), as keys and as values of every input of every action.
 * They are words like any other: refused where no such word fits, accepted where any text does, and never the cause
 * of a service error.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setKeyLimits } from '../../../src/account/keys/keyLimits.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { CommandRefused } from '../../../src/distribution/commands/errors.js';
import { chunks } from '../../../src/lib/chunks.js';
import { jsonSchema, type JsonObject } from '../../../src/lib/jsonSchema.js';
import { INHERITED } from '../../support/inherited.js';
import { aLead } from '../../support/storedRows.js';
import { post, setUp, startActionsApi, type ActionsApi, type Org } from '../../api/actions/api.js';

/** A lookup in an object literal would find a function, the prototype itself, or a function without a text. */
const AS_VALUES = ['constructor', '__proto__', 'toString'];

/** There are no workers here: a command that gets this far is refused, which is not a service error. */
const refuse = () => Promise.reject(new CommandRefused('invalid', 'There are no workers here.'));
const queue = { retry: refuse, hold: refuse, drop: refuse, resolve: refuse };

let api: ActionsApi;
let org: Org;
/** Ids of existing records, by input key: with other ids no input gets past its schema. */
let ids: Record<string, string>;
beforeAll(async () => {
  api = await startActionsApi({ queue });
  org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const lead = aLead({ org_id: org.id, campaign_id: campaign.id, supplier_id: supplier.id });
  await api.collections.leads.insertOne(lead);
  const automation = await api.done<{ id: string }>(org, 'create_automation', {
    name: 'Ours',
    trigger: 'lead.created',
    action: 'WEBHOOK',
    target: { url: 'https://ours.example/' },
  });
  const linked = { campaign_id: campaign.id, supplier_id: supplier.id };
  const made = { template: 'quiz', ...linked };
  const funnel = await api.done<{ id: string }>(org, 'create_funnel', made);
  // The version that the example expects.
  await api.collections.funnels.updateOne({ _id: funnel.id }, { $set: { draft_version: 3 } });
  ids = {
    funnel_id: funnel.id,
    campaign_id: campaign.id,
    buyer_id: buyer.id,
    supplier_id: supplier.id,
    lead_id: lead._id,
    automation_id: automation.id,
  };
});
afterAll(() => api.stop());

/** A key with high rate limits: one test makes several hundred calls. */
async function tirelessKey(): Promise<string> {
  const key = await org.sharedKey();
  const doc = await api.collections.apiKeys.findOne({}, { sort: { created_at: -1 } });
  if (doc?.kind !== 'org') throw new Error('the key was not stored');
  const limits = { calls_per_minute: 10_000, writes_per_minute: 10_000 };
  await setKeyLimits(api.collections, org.id, doc.id ?? '', limits);
  return key;
}

/** Calls that come together look up their key by one query. */
const CALLS_AT_ONCE = 16;

/** In a path: the one item of a list. */
const ITEM = '[]';

/** The input with the value at the path, as JSON text: an object would lose the key `__proto__`. */
function jsonWith(example: object, path: readonly string[], value: unknown): string {
  const [key, ...rest] = path;
  if (key === undefined) return JSON.stringify(value);
  if (key === ITEM) {
    const first: unknown = Array.isArray(example) ? example[0] : undefined;
    return `[${jsonWith(typeof first === 'object' && first ? first : {}, rest, value)}]`;
  }
  const others = Object.entries(example).filter(([name]) => name !== key);
  const inner = (example as Record<string, unknown>)[key];
  const below = typeof inner === 'object' && inner !== null ? inner : {};
  const entries = others.map(([name, kept]) => `${JSON.stringify(name)}:${JSON.stringify(kept)}`);
  return `{${[...entries, `${JSON.stringify(key)}:${jsonWith(below, rest, value)}`].join(',')}}`;
}

interface Place {
  path: string[];
  isList: boolean;
  /** Accepts no text except the words of its list, if any. */
  isClosed: boolean;
}

const takesNoText = ({ type, enum: words }: JsonObject): boolean =>
  words !== undefined || ['boolean', 'number', 'integer', 'null'].includes(String(type));

/** Every key of an input, including those of nested objects and lists. */
function placesOf(schema: JsonObject, path: string[] = []): Place[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties).flatMap(([key, inner]) => {
    const at = [...path, key];
    const shapes = [inner, ...((inner.anyOf ?? []) as JsonObject[])];
    const isList = shapes.some(({ type }) => type === 'array');
    const alternatives = (inner.anyOf ?? [inner]) as JsonObject[];
    const place = { path: at, isList, isClosed: alternatives.every(takesNoText) };
    return [
      place,
      ...shapes.flatMap((shape) => [
        ...placesOf(shape, at),
        ...placesOf((shape.items ?? {}) as JsonObject, [...at, ITEM]),
      ]),
    ];
  });
}

interface InheritedCall {
  body: string;
  isRefused: boolean;
}

/** Inputs with each such word in this place: as its value, in its list, and as a key of its value. */
function callsFor(example: object, { path, isList, isClosed }: Place): InheritedCall[] {
  return AS_VALUES.flatMap((word) => {
    const values = isList ? [word, [word], [{ [word]: word }]] : [word];
    return [
      ...values.map((value) => ({ body: jsonWith(example, path, value), isRefused: isClosed })),
      { body: jsonWith(example, [...path, word], word), isRefused: false },
    ];
  });
}

describe.each(REGISTRY.map((action) => [action.name, action] as const))(
  '%s',
  (name, { input, example, effect }) => {
    const call = (key: string, body: string) =>
      post(`${api.url}/api/v1/actions/${name}`, key, body);
    /** Destructive actions get ids of missing records: a deletion could not be undone. */
    const givenTo = () => {
      const kept = Object.entries(ids).filter(([key]) => key in example && effect !== 'destroy');
      return { ...example, ...Object.fromEntries(kept) };
    };

    it('refuses an input key with such a name', async () => {
      const key = await tirelessKey();
      for (const inherited of INHERITED) {
        const { status, json } = await call(key, jsonWith(givenTo(), [inherited], 'x'));
        expect([inherited, status, json?.error]).toEqual([inherited, 422, 'invalid_input']);
      }
    });

    it('accepts such a word in free values, and refuses it in closed lists', async () => {
      const key = await tirelessKey();
      const places = placesOf(jsonSchema(input, 'input'));
      const calls = places.flatMap((place) => callsFor(givenTo(), place));
      const wrong: string[] = [];
      for (const together of chunks(calls, CALLS_AT_ONCE)) {
        await Promise.all(
          together.map(async ({ body, isRefused }) => {
            const { status, text } = await call(key, body);
            if (isRefused ? status !== 422 : status >= 500)
              wrong.push(`${body} gave ${String(status)} ${text}`);
          }),
        );
      }
      expect(wrong).toEqual([]);
    });
  },
);
