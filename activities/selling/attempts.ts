/** Opening attempts (the row first: it is the permission) and sending them. */
import { signBody } from '../../src/auth/signatures.js';
import { buildDelivery, readReply } from '../../src/domain/delivery.js';
import type { DeliveryDoc } from '../../src/store/collections.js';
import type { SellingDeps } from './deps.js';
import type { Answered, Attempt, Reserved, Run, Task } from './task.js';

/** How long after its row a request may be written to the socket, in milliseconds. */
export const SEND_WINDOW_MS = 1_000;
/** Added to a buyer's time limit before its answer counts as never coming, in milliseconds. */
const ANSWER_SLACK_MS = 500;
const EXCERPT_LENGTH = 500;

export const rowId = (leadId: string, n: number): string => `${leadId}:${n}`;

/** When a request written within the send window has been answered or never will be. */
export function timesOf(now: Date, timeoutMs: number): { send_by: Date; answer_by: Date } {
  const sendBy = Number(now) + SEND_WINDOW_MS;
  return { send_by: new Date(sendBy), answer_by: new Date(sendBy + timeoutMs + ANSWER_SLACK_MS) };
}

/**
 * Inserts the rows of a wave. A row that was there already belongs to another run of the lead:
 * that run goes on, and this one loses it (`lost`).
 */
export async function openAttempts(
  reserved: readonly Reserved[],
  run: Run,
  deps: Pick<SellingDeps, 'deliveries' | 'clock'>,
): Promise<{ opened: Attempt[]; lost: Task[] }> {
  const now = deps.clock.now();
  const attempts = reserved.map((one) => ({ ...one, row: newRow(one, run.id, now) }));
  const refused = await deps.deliveries.open(attempts.map(({ row }) => row));
  const opened = attempts.filter(({ row }) => !refused.has(row._id));
  opened.forEach(({ task }) => (task.nextAttempt += 1));
  const lost = attempts.filter(({ row }) => refused.has(row._id)).map(({ task }) => task);
  return { opened, lost };
}

/** The row of a lead's next attempt, about to be sent. */
export function newRow({ task, terms, keys }: Reserved, run: string, now: Date): DeliveryDoc {
  return {
    _id: rowId(task.lead._id, task.nextAttempt),
    lead_id: task.lead._id,
    n: task.nextAttempt,
    org_id: task.lead.org_id,
    campaign_id: task.lead.campaign_id,
    buyer_id: terms.buyer_id,
    state: 'sending',
    run,
    ...timesOf(now, terms.delivery.timeout_ms),
    price: terms.price,
    reserved: keys,
    tries: 1,
    expires_at: new Date(Number(task.lead.created_at) + terms.delivery.max_age_ms),
    created_at: now,
  };
}

/** Sends one attempt. `sendBy` is on the monotonic clock: it holds even if the process was stopped. */
export async function sendAttempt(
  attempt: Attempt,
  sendBy: number,
  deps: Pick<SellingDeps, 'outbound' | 'keyring' | 'clock'>,
): Promise<Answered> {
  const { task, terms } = attempt;
  const started = deps.clock.monotonic();
  const request = buildDelivery({ lead: task.lead, terms });
  const signature = signBody(deps.keyring.open(terms.signing_secret), request.body);
  const reply = await deps.outbound.send({
    url: request.url,
    headers: { ...request.headers, 'x-leaddistro-signature': signature },
    body: request.body,
    timeoutMs: terms.delivery.timeout_ms,
    sendBy,
  });
  return {
    ...attempt,
    verdict: readReply(reply, deps.clock.now()),
    latencyMs: Math.round(deps.clock.monotonic() - started),
    ...(reply.kind === 'answered' ? { excerpt: reply.body.slice(0, EXCERPT_LENGTH) } : {}),
  };
}
