/** Opens attempts (the row first: it is the permission) and sends them. */
import { priceLead, termsPrice } from '../account/rules/pricing.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Clock } from '../lib/clock.js';
import type { ChannelDeps } from '../deliveries/channels/channel.js';
import { deliver } from '../deliveries/channels/channels.js';
import type { SellingDeps } from './deps.js';
import { retryWhileUnavailable } from './retryWhileUnavailable.js';
import { releaseLostReservations } from './capReservations.js';
import {
  rowId,
  windowsOf,
  type Answered,
  type Attempt,
  type Reserved,
  type Lease,
} from './task.js';

/** How long after its row a request may be written to the socket, in milliseconds. */
export const SEND_WINDOW_MS = 1_000;
/** Added to a buyer's timeout before its answer counts as lost, in milliseconds. */
export const ANSWER_SLACK_MS = 500;
const EXCERPT_MAX = 500;

/** Until when a request may be written, and when it has been answered or never will be. */
export function timesOf(now: Date, timeoutMs: number): { send_by: Date; answer_by: Date } {
  const sendBy = Number(now) + SEND_WINDOW_MS;
  return { send_by: new Date(sendBy), answer_by: new Date(sendBy + timeoutMs + ANSWER_SLACK_MS) };
}

/**
 * Inserts the rows of a wave, and returns the attempts that may be sent. A row that existed already belongs to another
 * run of the lead: this run does not send it, and releases its reservation unless the row counts it.
 */
export async function openAttempts(
  reserved: readonly Reserved[],
  lease: Lease,
  deps: Pick<SellingDeps, 'deliveries' | 'caps' | 'clock' | 'log'>,
): Promise<Attempt[]> {
  const window = sendWindow(lease, deps.clock);
  const attempts = reserved.map((one) => ({
    ...one,
    row: newRow(one, lease.id, window.now),
    sendBy: window.sendBy,
  }));
  const rows = attempts.map(({ row }) => row);
  // An insert whose answer was lost must not leave rows that say `sending` and are never sent.
  const standing = await retryWhileUnavailable(() => deps.deliveries.insertAttempts(rows), deps);
  const opened = attempts.filter(({ row }) => !standing.has(row._id));
  opened.forEach(({ task }) => (task.nextAttempt += 1));
  // It must not delay the other attempts: `reconcile` finds a reservation that stays.
  releaseLostReservations(attempts, standing, deps).catch((error: unknown) =>
    deps.log.warn({ err: error, slots: standing.size }, 'cap reservations not released'),
  );
  return opened;
}

/**
 * One instant on both clocks: the time in the row, and until when its request may be written. Read before
 * the row is stored, and never past the lease: a run that was stopped in between sends nothing.
 */
export function sendWindow(lease: Lease, clock: Clock): { now: Date; sendBy: number } {
  const sendBy = Math.min(clock.monotonic() + SEND_WINDOW_MS, lease.validUntilMs);
  return { now: clock.now(), sendBy };
}

/** The row of a lead's next attempt, about to be sent. */
export function newRow(reserved: Reserved, run: string, now: Date): DeliveryDoc {
  const { task, terms, further } = reserved;
  return {
    _id: rowId(task.lead._id, task.nextAttempt),
    lead_id: task.lead._id,
    n: task.nextAttempt,
    org_id: task.lead.org_id,
    campaign_id: task.lead.campaign_id,
    supplier_id: task.lead.supplier_id,
    buyer_id: terms.buyer_id,
    state: 'sending',
    run,
    fence: task.lead.takes,
    ...timesOf(now, terms.delivery.timeout_ms),
    price: terms.price,
    cost: priceLead({ ...termsPrice(terms), supplier: task.supplier, is_test: false, further })
      .cost,
    further: further || undefined,
    ...windowsOf(reserved),
    tries: 1,
    expires_at: new Date(Number(task.lead.created_at) + terms.delivery.max_age_ms),
    created_at: now,
  };
}

/** Sends one attempt and never rejects: a failure before the request was written counts as definitely not sent. */
export async function sendAttempt(attempt: Attempt, deps: SendDeps): Promise<Answered> {
  const answered = await trySending(attempt, deps);
  const { task, terms, verdict, latencyMs } = answered;
  const result = verdict.ours ? 'not_sent' : verdict.result;
  if (!task.lead.is_test) deps.metrics.countAttempt(terms.buyer_id, result, latencyMs);
  return answered;
}

async function trySending(attempt: Attempt, deps: SendDeps): Promise<Answered> {
  try {
    return await send(attempt, deps);
  } catch (error) {
    deps.log.error({ err: error, delivery: attempt.row._id }, 'a delivery could not be attempted');
    const reason = 'could_not_be_made';
    return { ...attempt, verdict: { result: 'not_taken', reason, ours: true }, latencyMs: 0 };
  }
}

type SendDeps = ChannelDeps & Pick<SellingDeps, 'log' | 'metrics'>;

async function send(attempt: Attempt, deps: SendDeps): Promise<Answered> {
  const { task, terms, sendBy } = attempt;
  const started = deps.clock.monotonic();
  const fieldNames = task.plan.fields.map(({ name }) => name);
  const outgoing = {
    org_id: task.lead.org_id,
    lead: task.lead,
    terms,
    fieldNames,
    sendBy,
    unanswered: attempt.row.unanswered === true,
  };
  const { verdict, answer } = await deliver(outgoing, deps);
  return {
    ...attempt,
    verdict,
    latencyMs: Math.round(deps.clock.monotonic() - started),
    excerpt: answer?.slice(0, EXCERPT_MAX),
  };
}
