/**
 * Each step of a lead with MongoDB calls of its own: what the service does for a group at once, done for one lead.
 * Rules and documents are the service's own.
 */
import { MongoBulkWriteError } from 'mongodb';
import { claimIdOf, dedupeKeys, lookupKeys } from '../../../src/leads/rules/dedupe.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { receivedEntry } from '../../../src/leads/rules/trail.js';
import { screenLead } from '../../../src/routing/rules/screen.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { bodyHash } from '../../../src/ingest/admission.js';
import { buyerCap } from '../../../src/routing/store/caps.js';
import type { Collections } from '../../../src/app/database.js';
import type { ClaimDoc } from '../../../src/leads/store/intakeDocs.js';
import {
  DUPLICATE_KEY,
  isDuplicateKey,
  retryUpsert,
} from '../../../src/platform/mongo/databaseErrors.js';
import { aLead } from '../../support/storedRows.js';
import { termsOf, type Surroundings } from './surroundings.js';
import type { Body, Filtered, KnownLead, Steps, Validated } from './way.js';

const DAY_MS = 86_400_000;

/** A repeated step finds the lead. */
export async function validate(
  { collections, plan, map }: Surroundings,
  id: string,
  body: Body,
): Promise<Validated> {
  const mapped = map(body);
  if (!mapped.ok) return { errors: mapped.errors };
  const { fields, extra } = mapped;
  const supplier_id = String(body.flo_supplier_id);
  const now = new Date();
  const lead: Lead = aLead({
    _id: id,
    org_id: plan.org_id,
    campaign_id: plan.campaign_id,
    supplier_id,
    plan_version: plan.version,
    fields,
    extra,
    keys: lookupKeys(fields),
    body_hash: bodyHash(supplier_id, body),
    created_at: now,
    take_by: now,
    trail: [receivedEntry(plan.version, now)],
  });
  await insertOnce(() => collections.leads.insertOne(lead));
  return { lead: { id, supplier_id, fields, extra, created_at: now.toISOString() } };
}

export function filter({ plan }: Surroundings, { id, fields }: KnownLead): Filtered {
  const lead = { fields, is_test: false, seed: id };
  const decision = screenLead({ lead, plan, now: new Date() });
  const passed = decision.kind === 'pass' ? decision.candidates : [];
  return {
    rejected: decision.kind === 'rejected',
    buyerIds: passed.map(({ buyer_id }) => buyer_id),
    trail: decision.trail,
  };
}

/** All claims in one ordered insert: a later one is stored only where the earlier ones were free. */
export async function dedupe(
  { collections, plan, keyring }: Surroundings,
  { id, fields }: KnownLead,
): Promise<string | null> {
  const at = new Date();
  const expires_at = new Date(Number(at) + (plan.dedupe.window_days + 1) * DAY_MS);
  let left = dedupeKeys(plan.dedupe, fields).map((key): ClaimDoc => {
    const _id = claimIdOf(plan.campaign_id, key, (text) => keyring.claimHash(text));
    return { _id, lead_id: id, at, expires_at };
  });
  while (left.length > 0) {
    const refused = await insertInOrder(collections.claims, left);
    if (refused === null) return null;
    const held = await collections.claims.findOne({ _id: left[refused]?._id ?? '' });
    if (held && held.lead_id !== id) return held.lead_id;
    // The claim is the lead's own, from an earlier run of the step.
    left = left.slice(refused + 1);
  }
  return null;
}

/** @returns the index of the first claim that was already stored, after which none was inserted; null: all inserted */
async function insertInOrder(
  claims: Collections['claims'],
  docs: readonly ClaimDoc[],
): Promise<number | null> {
  try {
    await claims.insertMany([...docs], { ordered: true });
    return null;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.code !== DUPLICATE_KEY) throw error;
    const [first] = [error.writeErrors].flat();
    return first?.index ?? 0;
  }
}

/** One update for each buyer checked. A repeated step may take a second slot. */
export async function route(
  { slots, plan }: Surroundings,
  buyerIds: readonly string[],
): Promise<string | null> {
  for (const buyerId of buyerIds) {
    const cap = termsOf(plan, buyerId).caps.daily_cap;
    const slot = { _id: slotId(plan, buyerId), ...(cap == null ? {} : { count: { $lt: cap } }) };
    const count = () => slots.updateOne(slot, { $inc: { count: 1 } }, { upsert: true });
    const isCounted = await insertOnce(() => retryUpsert(count));
    if (isCounted) return buyerId;
  }
  return null;
}

export async function giveBack({ slots, plan }: Surroundings, buyerId: string): Promise<void> {
  await slots.updateOne({ _id: slotId(plan, buyerId) }, { $inc: { count: -1 } });
}

const slotId = (plan: Surroundings['plan'], buyerId: string): string =>
  `${buyerCap(plan.campaign_id, buyerId)}:${windowKeys(new Date(), plan.time_zone).day}`;

/** False when the document already existed; for a capped slot: when it is full. */
async function insertOnce(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** The steps that all ways of accepting a lead share. */
export const sharedSteps = (
  around: Surroundings,
): Pick<Steps, 'validate' | 'filter' | 'dedupe' | 'route' | 'giveBack'> => ({
  validate: (id, body) => validate(around, id, body),
  filter: (lead) => Promise.resolve(filter(around, lead)),
  dedupe: (lead) => dedupe(around, lead),
  route: (buyerIds) => route(around, buyerIds),
  giveBack: (buyerId) => giveBack(around, buyerId),
});
