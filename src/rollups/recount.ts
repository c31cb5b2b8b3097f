/**
 * Roll-ups compared with the leads they stand for. By construction they agree; a record that was restored or
 * edited by hand may not, and a wrong sum would be reported for ever.
 */
import { dayAfter, startOfDay } from '../domain/days.js';
import {
  add,
  contributionOf,
  difference,
  isSameContribution,
  nonZero,
  type Row,
  type Rows,
} from '../domain/rollups.js';
import type { RollupDoc } from '../store/rollupDocs.js';
import { rollupStore } from '../store/rollups.js';
import { changesOf, PROJECTION, type RollDeps, type RolledLead } from './roll.js';

/** No further day is begun after so long, in milliseconds. */
const RUN_MS = 3_000;
const DAYS_PER_RUN = 50;
/** A day rests so many times as long as its counting took, and at least ten minutes. */
const REST_FACTOR = 500;
const REST_MS = 600_000;
/** A day that is over rests for a day, until it is so old that nothing of it changes any more. */
const DAY_MS = 86_400_000;
const SETTLED_MS = 60 * DAY_MS;
/** Leads of which a repair is written at once. */
const MARK_AT_ONCE = 1_000;

/**
 * Compares the days that are due, the longest overdue first. Returns how many sums were corrected, and how many
 * leads were counted as something they are no more.
 */
export async function recountRollups(deps: RollDeps): Promise<number> {
  const until = deps.clock.monotonic() + RUN_MS;
  const due = await deps.collections.rollups
    .find({ recount_at: { $lte: deps.clock.now() } })
    .sort({ recount_at: 1 })
    .limit(DAYS_PER_RUN)
    .toArray();
  let mended = 0;
  for (const day of due) {
    if (deps.clock.monotonic() > until) break;
    mended += await recountDay(day, deps);
  }
  return mended;
}

async function recountDay(day: RollupDoc, deps: RollDeps): Promise<number> {
  const { collections, clock } = deps;
  const store = rollupStore(collections, () => clock.now());
  const started = clock.monotonic();
  const seq = await store.settled();
  const { rows, missed } = await countLeads(day, deps);
  const { org_id, campaign_id } = day;
  const stored = await collections.rollups
    .find({ campaign_id, day: day.day, facet: ANY })
    .toArray();
  const wrong = difference(nonZero(rows), stored.map(asRow));
  const isStill = await store.isStill(seq);
  const changes = changesOf({ org_id, campaign_id, day: day.day }, wrong);
  const isMended = wrong.length > 0 && (await store.commit(seq, { rows: changes, leads: [] }));
  if (isStill && (wrong.length === 0 || isMended)) {
    await rest(day, clock.monotonic() - started, deps);
  }
  return missed + (isMended ? wrong.length : 0);
}

/** What the leads say that the sums hold of them; a lead that is counted wrongly is marked. */
async function countLeads(
  { org_id, campaign_id, day }: RollupDoc,
  { collections }: RollDeps,
): Promise<{ rows: Rows; missed: number }> {
  const org = await collections.orgs.findOne({ _id: org_id });
  const timeZone = org?.time_zone ?? 'UTC';
  const [from, to] = [startOfDay(day, timeZone), startOfDay(dayAfter(day), timeZone)];
  const rows: Rows = new Map();
  let missed = 0;
  let marks: string[] = [];
  const mark = async (): Promise<void> => {
    if (marks.length === 0) return;
    const result = await collections.leads.updateMany(
      { _id: { $in: marks }, uncounted: { $exists: false } },
      { $set: { uncounted: true }, $inc: { changes: 1 } },
    );
    missed += result.modifiedCount;
    marks = [];
  };
  const leads = collections.leads
    .find({ org_id, campaign_id, created_at: { $gte: from, $lt: to } })
    .project<RolledLead>(PROJECTION);
  for await (const lead of leads) {
    const counted = lead.counted?.contribution ?? null;
    add(rows, lead, counted, 1);
    if (!lead.uncounted && !isSameContribution(counted, contributionOf(lead))) marks.push(lead._id);
    if (marks.length >= MARK_AT_ONCE) await mark();
  }
  await mark();
  return { rows, missed };
}

const ANY = { $in: ['all', 'buyer', 'supplier', 'state', 'cell'] } satisfies {
  $in: RollupDoc['facet'][];
};

/** Without what is stored beside the sums. */
export const asRow = ({ facet, buyer_id, supplier_id, state, by_status }: RollupDoc): Row => ({
  facet,
  ...(buyer_id === undefined ? {} : { buyer_id }),
  ...(supplier_id === undefined ? {} : { supplier_id }),
  ...(state === undefined ? {} : { state }),
  by_status,
});

async function rest(
  day: RollupDoc,
  tookMs: number,
  { collections, clock }: RollDeps,
): Promise<void> {
  const now = Number(clock.now());
  const age = now - Number(new Date(`${day.day}T00:00:00Z`));
  const restMs = Math.max(REST_MS, tookMs * REST_FACTOR, age > 2 * DAY_MS ? DAY_MS : 0);
  const update =
    age > SETTLED_MS
      ? { $unset: { recount_at: 1 as const } }
      : { $set: { recount_at: new Date(now + restMs) } };
  await collections.rollups.updateOne({ _id: day._id }, update);
}
