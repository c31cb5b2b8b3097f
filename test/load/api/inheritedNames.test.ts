/**
 * Names that every object inherits (`constructor`, `__proto__`), as keys and as values of every input of every action.
 * They are words like any other: refused where no such word fits, accepted where any text does, and never the cause
 * of a service error.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../src/account/keys/keys.js';
import type { Action, ActionDeps } from '../../../src/api/actions/action.js';
import { contextOf } from '../../../src/api/actions/named.js';
import { createReadAudit } from '../../../src/api/calls/readAudit.js';
import { runCall } from '../../../src/api/calls/runCall.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { parseObject } from '../../../src/api/http/parseBody.js';
import { CommandRefused } from '../../../src/distribution/commands/errors.js';
import { chunks } from '../../../src/lib/chunks.js';
import { AppError } from '../../../src/lib/errors.js';
import { jsonSchema, type JsonObject } from '../../../src/lib/jsonSchema.js';
import { INHERITED } from '../../support/inherited.js';
import { aLead } from '../../support/storedRows.js';
import {
  actionDeps,
  post,
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
} from '../../support/api.js';

/** A lookup in an object literal would find a function, the prototype itself, or a function without a text. */
const AS_VALUES = ['constructor', '__proto__', 'toString'];

/** There are no workers here: a command that gets this far is refused, which is not a service error. */
const refuse = () => Promise.reject(new CommandRefused('invalid', 'There are no workers here.'));
const queue = { retry: refuse, hold: refuse, drop: refuse, resolve: refuse };

let api: ActionsApi;
let org: Org;
let deps: ActionDeps;
/** Ids of existing records, by input key: with other ids no input gets past its schema. */
let ids: Record<string, string>;
beforeAll(async () => {
  api = await startActionsApi({ queue });
  deps = { ...actionDeps(api.collections), queue };
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

/** The status that a body of JSON is answered with, and the error behind one that is not 200. */
async function answerTo(
  action: Action,
  body: string,
): Promise<{ status: number; error?: unknown }> {
  const { collections } = api;
  const actor = { kind: 'key', id: 'key-1', name: 'Key' } as const;
  const caller = { org_id: org.id, actor, permissions: PERMISSIONS };
  const input = parseObject(Buffer.from(body), 'application/json');
  try {
    await runCall(action, contextOf(action, caller, deps), () => Promise.resolve(input), {
      recordRead: createReadAudit(collections),
      witness: NO_WITNESS,
    });
    return { status: 200 };
  } catch (error) {
    return { status: error instanceof AppError ? error.status : 500, error };
  }
}

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

describe.each(REGISTRY.map((action) => [action.name, action] as const))('%s', (name, action) => {
  const { input, example, effect } = action;
  /** Destructive actions get ids of missing records: a deletion could not be undone. */
  const givenTo = () => {
    const kept = Object.entries(ids).filter(([key]) => key in example && effect !== 'destroy');
    return { ...example, ...Object.fromEntries(kept) };
  };

  it('refuses an input key with such a name', async () => {
    for (const inherited of INHERITED) {
      const body = jsonWith(givenTo(), [inherited], 'x');
      const error = expect.objectContaining({ code: 'invalid_input' });
      expect([inherited, await answerTo(action, body)]).toEqual([
        inherited,
        { status: 422, error },
      ]);
    }
    const body = jsonWith(givenTo(), ['__proto__'], 'x');
    const url = `${api.url}/api/v1/actions/${name}`;
    const { status, json } = await post(url, await org.sharedKey(), body);
    expect([status, json?.error]).toEqual([422, 'invalid_input']);
  });

  it('accepts such a word in free values, and refuses it in closed lists', async () => {
    const places = placesOf(jsonSchema(input, 'input'));
    const calls = places.flatMap((place) => callsFor(givenTo(), place));
    const wrong: string[] = [];
    for (const together of chunks(calls, CALLS_AT_ONCE)) {
      await Promise.all(
        together.map(async ({ body, isRefused }) => {
          const { status, error } = await answerTo(action, body);
          if (isRefused ? status !== 422 : status >= 500)
            wrong.push(`${body} gave ${String(status)} ${String(error)}`);
        }),
      );
    }
    expect(wrong).toEqual([]);
  });
});
