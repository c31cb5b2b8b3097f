/**
 * Leads that are stored as if the service had accepted them: copies of some accepted leads, each of another person,
 * with their claims, delivery rows and place in the reports. So every index is as large as those leads would make it.
 */
import { claimIdOf, dedupeKeys, lookupKeys } from '../../../src/leads/rules/dedupe.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { timeOrderedId } from '../../../src/lib/ids.js';
import type { ClaimDoc } from '../../../src/leads/store/intakeDocs.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { aPerson } from '../../support/supplier.js';
import type { Bench } from '../bench.js';
import { countSeeded } from './seedSums.js';

const AT_ONCE = 5_000;
const SIDE_BY_SIDE = 2;
const DAY_MS = 86_400_000;
/** Without a span they came in over this many days, the latest a day ago: the service's counts of today include none. */
const SPAN: SeedSpan = { days: 28, untilDaysAgo: 1 };
/** Seeding is not measured: it need not wait for the disk. */
const FAST = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

export interface SeedSpan {
  /** The oldest came in so many days ago. */
  days: number;
  /** The latest came in so many days ago. */
  untilDaysAgo: number;
  /** What makes the n-th copy another than its model. */
  vary?: (lead: Lead, n: number) => Lead;
}

interface Model {
  lead: Lead;
  deliveries: DeliveryDoc[];
}

/** A copy of a lead, with what is stored beside it. */
export interface Docs {
  lead: Lead;
  deliveries: DeliveryDoc[];
  claims: ClaimDoc[];
}

/** @param modelIds decided leads, of campaigns with one way to find duplicates */
export async function seedLeads(
  bench: Pick<Bench, 'collections' | 'keyring'>,
  modelIds: readonly string[],
  count: number,
  span: SeedSpan = SPAN,
): Promise<void> {
  const copy = await openCopier(bench, modelIds, span);
  let left = count;
  const seed = async () => {
    while (left > 0) {
      const some = Math.min(AT_ONCE, left);
      left -= some;
      const docs = Array.from({ length: some }, (_, n) => copy(left + n, count));
      const counted = await countSeeded(
        bench,
        docs.map(({ lead }) => lead),
      );
      await storeCopies(bench, docs, counted);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, seed));
}

/** @returns what makes the n-th of `count` copies of these leads; the first is the oldest */
export const openCopier = async (
  bench: Pick<Bench, 'collections' | 'keyring'>,
  modelIds: readonly string[],
  span: SeedSpan,
): Promise<(n: number, count: number) => Docs> =>
  copierOf(bench, await modelsOf(bench, modelIds), span);

/** @param counted their leads, as the reports have counted them */
export async function storeCopies(
  { collections }: Pick<Bench, 'collections'>,
  docs: readonly Docs[],
  counted: Lead[],
): Promise<void> {
  await Promise.all([
    collections.leads.insertMany(counted, FAST),
    collections.deliveries.insertMany(
      docs.flatMap((one) => one.deliveries),
      FAST,
    ),
    collections.claims.insertMany(
      docs.flatMap((one) => one.claims),
      FAST,
    ),
  ]);
}

async function modelsOf(
  { collections }: Pick<Bench, 'collections'>,
  ids: readonly string[],
): Promise<Model[]> {
  const leads = await collections.leads.find({ _id: { $in: [...ids] } }).toArray();
  const rows = await collections.deliveries.find({ lead_id: { $in: [...ids] } }).toArray();
  if (leads.length === 0) throw new Error('There is no lead to copy');
  return leads.map(({ counted: _counted, uncounted: _uncounted, ...lead }) => ({
    lead,
    deliveries: rows.filter(({ lead_id }) => lead_id === lead._id),
  }));
}

async function copierOf(
  { collections, keyring }: Pick<Bench, 'collections' | 'keyring'>,
  models: readonly Model[],
  { days, untilDaysAgo, vary }: SeedSpan,
): Promise<(n: number, count: number) => Docs> {
  const first = models[0]?.lead;
  const plan = await collections.plans.findOne({ campaign_id: first?.campaign_id ?? '' });
  if (!plan) throw new Error('The campaign has no plan');
  const now = Date.now();
  return (n, count) => {
    const model = models[n % models.length];
    if (!model) throw new Error('There is no lead to copy');
    const ago = (days - (n / count) * (days - untilDaysAgo)) * DAY_MS;
    const moved = (at: Date) => new Date(Math.min(Number(at), now) - ago);
    const id = timeOrderedId(moved(model.lead.created_at));
    const copied = copyOf(model.lead, id, moved);
    const lead = vary ? vary(copied, n) : copied;
    return {
      lead,
      deliveries: model.deliveries.map((row) => ({
        ...row,
        _id: `${id}:${row.n}`,
        lead_id: id,
        created_at: moved(row.created_at),
        expires_at: moved(row.expires_at),
        reserved: row.reserved && windowKeys(moved(row.created_at), plan.time_zone),
        ...(row.settled_at ? { settled_at: moved(row.settled_at) } : {}),
      })),
      claims: dedupeKeys(plan.dedupe, lead.fields).map((key) => ({
        _id: claimIdOf(lead.campaign_id, key, (text) => keyring.claimHash(text)),
        lead_id: id,
        at: lead.created_at,
        expires_at: new Date(Number(lead.created_at) + (plan.dedupe.window_days + 1) * DAY_MS),
      })),
    };
  };
}

/** Contact data of another person. */
function copyOf(model: Lead, id: string, moved: (at: Date) => Date): Lead {
  const { phone = '', email = '', last_name = '' } = aPerson();
  const fields = { ...model.fields, phone: `+1${phone}`, email, last_name };
  const created_at = moved(model.created_at);
  return {
    ...model,
    _id: id,
    seed: id,
    body_hash: id,
    fields,
    keys: lookupKeys(fields),
    created_at,
    ...(model.decided_at ? { decided_at: moved(model.decided_at) } : {}),
    sales: model.sales.map((sale) => ({ ...sale, at: moved(sale.at) })),
    trail: model.trail.map((entry) => ({ ...entry, at: moved(entry.at) })),
    changes: 1,
  };
}
