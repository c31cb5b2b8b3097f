/** The durable lane: sends what waits for one destination, freshest first, as fast as it bears. */
import { randomUUID } from 'node:crypto';
import { heartbeat } from '@temporalio/activity';
import { rankBuyers } from '../src/domain/routing.js';
import type { Lead } from '../src/domain/lead.js';
import type { DeliveryDoc, DestinationDoc } from '../src/store/collections.js';
import type { DrainResult } from '../workflows/messages.js';
import { expireAged } from './expiry.js';
import { asTask, planOf, type ScreeningDeps } from './screening.js';
import { timesOf } from './selling/attempts.js';
import { reservedFor, reserveFor } from './selling/reserve.js';
import { sell } from './selling/sell.js';
import type { Attempt, Run } from './selling/task.js';

export interface DrainDeps extends ScreeningDeps {
  background: { add(work: Promise<void>): void };
  /** True once the process is stopping: no new batch is begun. */
  stopping(): boolean;
}

/** One call works so long at the most, then answers and is called again, in milliseconds. */
const CALL_MS = 20_000;
/** Longer than any buyer may take (30 s) and its failover, in milliseconds. */
export const DRAIN_LEASE_MS = 120_000;
/** Rows counted at the most for the backlog an operator sees. */
const BACKLOG_LIMIT = 10_000;
/** A row whose buyer has no room in this window is looked at again after so long, in milliseconds. */
const NO_ROOM_MS = 60_000;

export function drainActivities(deps: DrainDeps) {
  return {
    /**
     * Sends due rows of a destination until none is due, it fails, or the time of the call is over.
     * `awake` promises producers that somebody will look: it is cleared before the last look, so a row
     * that this call does not see wakes the destination anew.
     */
    drainDestination: async ({ buyerId }: { buyerId: string }): Promise<DrainResult> => {
      const endsAt = deps.clock.monotonic() + CALL_MS;
      let sent = 0;
      await deps.destinations.begin(buyerId, deps.clock.now());
      while (deps.clock.monotonic() < endsAt && !deps.stopping()) {
        heartbeat();
        const ended = await expireAged(buyerId, deps);
        const batch = await sendBatch(buyerId, deps);
        sent += batch;
        if (batch === 0 && ended === 0) break;
      }
      await deps.destinations.sleep(buyerId);
      return { ...(await whatIsLeft(buyerId, deps)), sent };
    },
  };
}

async function whatIsLeft(buyerId: string, deps: DrainDeps): Promise<Omit<DrainResult, 'sent'>> {
  const { waiting, next } = await deps.deliveries.backlog(buyerId, BACKLOG_LIMIT);
  if (next === null) return { waiting, nextInMs: null, resting: false };
  const now = Number(deps.clock.now());
  const rest = restsUntil((await deps.destinations.get([buyerId])).get(buyerId));
  return {
    waiting,
    nextInMs: Math.max(0, Math.max(Number(next), rest) - now),
    resting: rest > now,
  };
}

function restsUntil(destination: DestinationDoc | undefined): number {
  return Math.max(Number(destination?.open_until ?? 0), Number(destination?.retry_at ?? 0));
}

/** One wave of requests to the buyer; returns how many were made. */
async function sendBatch(buyerId: string, deps: DrainDeps): Promise<number> {
  const now = deps.clock.now();
  const destination = (await deps.destinations.get([buyerId])).get(buyerId);
  if (restsUntil(destination) > Number(now)) return 0;
  const newest = await deps.deliveries.due(buyerId, now, 1);
  const [first] = newest;
  if (!first) return 0;
  const limit = await batchSize(first, destination, deps);
  const rows = limit > 1 ? await deps.deliveries.due(buyerId, now, limit) : newest;

  const run: Run = { id: randomUUID(), validUntil: deps.clock.monotonic() + DRAIN_LEASE_MS };
  const leaseUntil = new Date(Number(now) + DRAIN_LEASE_MS);
  const ids = [...new Set(rows.map((row) => row.lead_id))];
  const leads = await deps.leads.takePending(ids, run.id, leaseUntil, now);
  await dropOrphans(rows, leads, now, deps);
  const attempts = await takeRows(rows, leads, run, now, deps);
  if (attempts.length === 0) return 0;
  const selling = sell({ tasks: [], attempts }, run, deps);
  deps.background.add(selling.done.catch(() => undefined));
  await selling.done;
  return attempts.length;
}

/** A buyer that has been failing gets one lead to probe it with; a well one as many as it bears. */
async function batchSize(
  row: DeliveryDoc,
  destination: DestinationDoc | undefined,
  deps: DrainDeps,
): Promise<number> {
  if ((destination?.failures ?? 0) > 0) return 1;
  const lead = await deps.leads.get(row.lead_id);
  if (!lead) return 1;
  const plan = (await deps.plans.get([planOf(lead)])).get(planOf(lead));
  const terms = plan?.buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
  return terms?.delivery.max_concurrent ?? 1;
}

/** Rows whose lead is owned elsewhere for now wait a little; reconcile sees to leads nobody owns. */
async function dropOrphans(
  rows: readonly DeliveryDoc[],
  leads: readonly Lead[],
  now: Date,
  deps: DrainDeps,
): Promise<void> {
  const taken = new Set(leads.map((lead) => lead._id));
  const others = rows.filter((row) => !taken.has(row.lead_id));
  if (others.length === 0) return;
  const answers = await deps.leads.answers(others.map((row) => row.lead_id));
  const decided = others.filter((row) => {
    const status = answers.get(row.lead_id)?.status;
    return status !== 'NEW' && status !== 'PENDING';
  });
  const busy = others.filter((row) => !decided.includes(row));
  await Promise.all([
    deps.deliveries.move(ids(decided), ['parked'], 'failed', { reason: 'lead_decided' }),
    deps.deliveries.move(ids(busy), ['parked'], 'parked', {
      due_at: new Date(Number(now) + 1_000),
    }),
  ]);
}

const ids = (rows: readonly DeliveryDoc[]): string[] => rows.map((row) => row._id);

/** Slots first, then the rows themselves: only rows moved from parked to sending by this run are sent. */
async function takeRows(
  rows: readonly DeliveryDoc[],
  leads: readonly Lead[],
  run: Run,
  now: Date,
  deps: DrainDeps,
): Promise<Attempt[]> {
  const plans = await deps.plans.get(leads.map(planOf));
  const byLead = new Map(leads.map((lead) => [lead._id, lead]));
  const earlier = await deps.deliveries.ofLeads(leads.map((lead) => lead._id));
  const wanted = rows.flatMap((row) => {
    const lead = byLead.get(row.lead_id);
    const plan = lead && plans.get(planOf(lead));
    const terms = plan?.buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
    if (!lead || !plan || !terms) return [];
    const tried = new Set((earlier.get(lead._id) ?? []).map((other) => other.buyer_id));
    const candidates = rankBuyers(plan, lead).candidates.filter(
      (buyer) => !tried.has(buyer.buyer_id),
    );
    const task = asTask({ lead, plan, candidates, trail: [] });
    task.nextAttempt = Math.max(...(earlier.get(lead._id) ?? [row]).map(({ n }) => n)) + 1;
    task.again = { row, terms };
    return [{ ...reservedFor(task, terms, now), row }];
  });
  const attempts = await reserveFor(wanted, deps, now);
  const full = wanted.filter((one) => !attempts.includes(one)).map(({ row }) => row);
  await putOff(full, run, now, deps);

  const [firstTerms] = attempts.map(({ terms }) => terms);
  if (!firstTerms) return [];
  const times = timesOf(now, Math.max(...attempts.map(({ terms }) => terms.delivery.timeout_ms)));
  const moved = await deps.deliveries.resend(ids(attempts.map(({ row }) => row)), run.id, times);
  return attempts
    .filter(({ row }) => moved.has(row._id))
    .map((one) => ({
      ...one,
      row: { ...one.row, ...times, run: run.id, state: 'sending' as const, reserved: one.keys },
    }));
}

/** No room in the buyer's caps now: the leads go back to waiting. */
async function putOff(
  rows: readonly DeliveryDoc[],
  run: Run,
  now: Date,
  deps: DrainDeps,
): Promise<void> {
  if (rows.length === 0) return;
  const due_at = new Date(Number(now) + NO_ROOM_MS);
  await deps.deliveries.move(ids(rows), ['parked'], 'parked', { due_at });
  await deps.leads.hand(
    run.id,
    rows.map((row) => ({ leadId: row.lead_id, trail: [] })),
    now,
  );
}
