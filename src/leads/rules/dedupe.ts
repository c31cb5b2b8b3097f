/** Duplicates: the claims of a lead, whether an earlier claim still counts, and the lookup keys of a lead. */
import { createHash } from 'node:crypto';
import { fieldOf } from '../../fields/fields.js';
import { storedForms } from '../../fields/storedForms.js';
import { CLAIMING_STATUSES, type LeadStatus } from './leadStatus.js';
import type { Fields, Scalar } from '../../fields/values.js';
import type { DedupeSettings, Plan } from '../../account/rules/plan.js';

const DAY_MS = 86_400_000;

/** One value that no other lead of the campaign may claim while the claim is live. */
export interface DedupeKey {
  /** Name of the field; for a combined key the names joined by `+`. */
  field: string;
  value: string;
}

/**
 * The claims of a lead, in the order of claiming. `ANY`: one key per field it has. `ALL`: one combined key
 * when it has every field, otherwise none. A value that an earlier release stored in another form claims that form too.
 */
export function dedupeKeys(settings: DedupeSettings, fields: Fields): DedupeKey[] {
  const names = [...new Set(settings.fields)];
  const present = names.flatMap((field) => {
    const value = fieldOf(fields, field);
    return value === undefined
      ? []
      : [{ field, values: storedForms(String(value).trim().toLowerCase()) }];
  });
  if (settings.match === 'ANY')
    return present.flatMap(({ field, values }) => values.map((value) => ({ field, value })));
  if (names.length === 0 || present.length < names.length) return [];
  const field = names.join('+');
  return together(present).map((values) => ({ field, value: JSON.stringify(values) }));
}

/** Of several values with several forms each: nearly always there is one combination. */
const COMBINATIONS_MAX = 16;

/** Of each field one value, first of all as they are now. */
const together = (present: readonly { values: readonly string[] }[]): string[][] =>
  present.reduce<string[][]>(
    (rows, { values }) =>
      values.flatMap((value) => rows.map((row) => [...row, value])).slice(0, COMBINATIONS_MAX),
    [[]],
  );

/** The id of a claim; its value is hashed under a key, because it is personal data. */
export const claimIdOf = (
  campaignId: string,
  { field, value }: DedupeKey,
  hash: (text: string) => string,
): string => `${campaignId}:${field}:${hash(value)}`;

/** Longer values are stored as their hash, so that no key exceeds the size limit of an index. */
const KEY_VALUE_MAX = 200;

/**
 * The lookup keys of a lead, one for each of its fields: `phone:+1…`, `click_id:…`. A postback or a lookup may
 * name a lead by any of them (contract 7.2).
 */
export const lookupKeys = (fields: Fields): string[] =>
  Object.keys(fields).flatMap((name) => {
    const value = fieldOf(fields, name);
    return value === undefined ? [] : [lookupKey(name, value)];
  });

/** Every key that a lead with this value may have: those of earlier releases have other forms of some values. */
export const lookupKeysOf = (name: string, value: Scalar): string[] =>
  typeof value === 'string'
    ? storedForms(value).map((form) => lookupKey(name, form))
    : [lookupKey(name, value)];

/** @param value in the normal form of the field. A name has no `#`: no value can be mistaken for another's hash. */
export const lookupKey = (name: string, value: Scalar): string => {
  const text = String(value);
  if (text.length <= KEY_VALUE_MAX) return `${name}:${text}`;
  return `${name}#${createHash('sha256').update(text).digest('hex')}`;
};

/** Where to look for earlier leads that hold no claim. */
export interface ReachBack {
  /** The lookup keys of each field, in every form; a lead with one of any field, or of each. */
  keys: string[][];
  match: DedupeSettings['match'];
  /** Created from `after` on, and before `before`. */
  after: Date;
  before: Date;
}

/** Milliseconds after a change of the account in which a request that was admitted before it may still be stored. */
const ADMITTED_BEFORE_MS = 60_000;

/**
 * After the dedupe settings are widened (another field, a longer window), earlier leads have no claims, or no longer have
 * them, for what is new. Until one full window has passed since the change, those leads are looked up directly. Null:
 * there is nothing to look up. Of two leads only the later one finds the other, so they are never each other's
 * duplicates.
 * @param createdAt of the lead that may be a duplicate
 */
export function reachBack(
  { dedupe, dedupe_since: since }: Pick<Plan, 'dedupe' | 'dedupe_since'>,
  fields: Fields,
  createdAt: Date,
  now: Date,
): ReachBack | null {
  if (!since) return null;
  const after = new Date(Number(now) - dedupe.window_days * DAY_MS);
  const before = new Date(Math.min(Number(createdAt), Number(since) + ADMITTED_BEFORE_MS));
  if (!(before > after)) return null;
  const names = [...new Set(dedupe.fields)];
  const keys = names.flatMap((name) => {
    const value = fieldOf(fields, name);
    return value === undefined ? [] : [lookupKeysOf(name, value)];
  });
  const isIncomplete = dedupe.match === 'ALL' && keys.length < names.length;
  if (keys.length === 0 || isIncomplete) return null;
  return { keys, match: dedupe.match, after, before };
}

/**
 * Whether the holder of a claim makes a later lead a duplicate: only while it is undecided or sold, and for
 * `windowDays` times 24 hours after its arrival. A repeat does not extend that.
 */
export function claimIsLive(
  holder: { status: LeadStatus; created_at: Date },
  windowDays: number,
  now: Date,
): boolean {
  if (!CLAIMING_STATUSES.some((status) => status === holder.status)) return false;
  return now.getTime() - holder.created_at.getTime() < windowDays * DAY_MS;
}
