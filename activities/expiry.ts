/** The age limit of waiting rows: rule 5, a promise is kept in time, by ACCEPTED or EXPIRED. */
import { randomUUID } from 'node:crypto';
import type { DeliveryDoc } from '../src/store/collections.js';
import type { Lead } from '../src/domain/lead.js';
import type { Decided } from '../src/store/leads.js';
import { asTask, planOf, type ScreeningDeps } from './screening.js';
import { uncountAll } from './selling/reserve.js';
import type { Reserved } from './selling/task.js';

const BATCH = 200;
const LEASE_MS = 30_000;

/** Ends rows past their age limit and their leads with them. Returns how many leads expired. */
export async function expireAged(buyerId: string, deps: ScreeningDeps): Promise<number> {
  const now = deps.clock.now();
  const rows = await deps.deliveries.aged(buyerId, now, BATCH);
  if (rows.length === 0) return 0;
  const run = randomUUID();
  const leaseUntil = new Date(Number(now) + LEASE_MS);
  const leads = await deps.leads.takePending(
    rows.map((row) => row.lead_id),
    run,
    leaseUntil,
    now,
  );
  const mine = new Map(leads.map((lead) => [lead._id, lead]));
  const ending = rows.filter((row) => mine.has(row.lead_id));
  const ended = await deps.deliveries.expire(
    ending.map((row) => row._id),
    run,
    now,
  );
  const counted = ending.filter((row) => ended.has(row._id));
  await uncountAll(await asReserved(counted, mine, deps), deps);
  const decided = ending.map((row): Decided => ({
    leadId: row.lead_id,
    status: 'EXPIRED',
    trail: [{ at: now, step: 'closing', result: 'EXPIRED', buyer_id: buyerId, reason: 'max_age' }],
  }));
  await deps.leads.decide(run, decided, now);
  return ending.length;
}

async function asReserved(
  rows: readonly DeliveryDoc[],
  leads: Map<string, Lead>,
  deps: ScreeningDeps,
): Promise<Reserved[]> {
  const plans = await deps.plans.get([...leads.values()].map(planOf));
  return rows.flatMap((row) => {
    const lead = leads.get(row.lead_id);
    const plan = lead && plans.get(planOf(lead));
    const terms = plan?.buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
    if (!lead || !plan || !terms) return [];
    const task = asTask({ lead, plan, candidates: [], trail: [] });
    return [{ task, terms, keys: row.reserved }];
  });
}
