/** Duplicates: what a lead claims, whether an earlier claim still counts, and what a lead is looked up by. */
import { fieldOf } from './fields.js';
import { CLAIMING_STATUSES } from './lead.js';
import type { Fields, LeadStatus } from './lead.js';
import type { DedupeSettings } from './plan.js';

const DAY_MS = 86_400_000;

/** One thing that no other lead of the campaign may claim while the claim is live. */
export interface DedupeKey {
  /** Name of the field; of a combined key the names joined by `+`. */
  field: string;
  value: string;
}

/**
 * What a lead claims, in the order of claiming. `ANY`: one key per field it has. `ALL`: one combined key
 * when it has every field, else nothing.
 */
export function dedupeKeys(settings: DedupeSettings, fields: Fields): DedupeKey[] {
  const names = [...new Set(settings.fields)];
  const present = names.flatMap((field) => {
    const value = fieldOf(fields, field);
    return value === undefined ? [] : [{ field, value: String(value).trim().toLowerCase() }];
  });
  if (settings.match === 'ANY') return present;
  if (names.length === 0 || present.length < names.length) return [];
  return [{ field: names.join('+'), value: JSON.stringify(present.map(({ value }) => value)) }];
}

/** The id of a claim; its value is hashed under a key, for it is a person's. */
export const claimIdOf = (
  campaignId: string,
  { field, value }: DedupeKey,
  hash: (text: string) => string,
): string => `${campaignId}:${field}:${hash(value)}`;

/** The fields by which a postback or a look-up may name a lead (specification 2.3). */
const LOOKUP_FIELDS = ['phone', 'email', 'click_id'] as const;

/** `phone:+1…`, `email:…`, `click_id:…`, of those that the lead has. */
export const lookupKeys = (fields: Fields): string[] =>
  LOOKUP_FIELDS.flatMap((name) => {
    const value = fieldOf(fields, name);
    return value === undefined ? [] : [`${name}:${value}`];
  });

/**
 * Whether the holder of a claim makes a later lead a duplicate: only while it is undecided or sold, and for
 * `windowDays` times 24 hours after it came. A repeat does not extend that.
 */
export function claimIsLive(
  holder: { status: LeadStatus; created_at: Date },
  windowDays: number,
  now: Date,
): boolean {
  if (!CLAIMING_STATUSES.some((status) => status === holder.status)) return false;
  return now.getTime() - holder.created_at.getTime() < windowDays * DAY_MS;
}
