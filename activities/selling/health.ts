/** What answers say about the buyers themselves. */
import { pauseAfter } from '../../src/domain/breaker.js';
import { groupBy } from '../../src/domain/groupBy.js';
import { NO_ANSWER_RECORDED } from '../../src/store/deliveries.js';
import type { SellingDeps } from './deps.js';
import type { Answered } from './task.js';

/** Counts failures in a row per buyer and pauses it; a buyer that answers again is well at once. */
export async function keepHealth(
  answers: readonly Answered[],
  now: Date,
  deps: SellingDeps,
): Promise<void> {
  // A run of ours that died says nothing about the buyer.
  const heard = answers.filter(({ verdict }) => verdict.reason !== NO_ANSWER_RECORDED);
  const byBuyer = groupBy(heard, ({ terms }) => terms.buyer_id);
  const known = await deps.destinations.get([...byBuyer.keys()]);
  await Promise.all(
    [...byBuyer].map(async ([buyerId, group]) => {
      const before = known.get(buyerId);
      const orgId = group[0]?.task.lead.org_id ?? '';
      const failed = group.filter(({ verdict }) => isFailure(verdict.result));
      if (failed.length === group.length) {
        const askedMs = Math.max(...failed.map(({ verdict }) => verdict.retry_after_ms ?? 0));
        const random = deps.clock.random();
        const pause = pauseAfter({ before: before ?? UNKNOWN, askedMs, now, random });
        const failing = { orgId, failed: failed.length, pause, reason: kindOf(failed), now };
        if (await deps.destinations.failed(buyerId, failing)) await publish(buyerId, deps);
        return;
      }
      if ((before?.failures ?? 0) === 0) return;
      if (!(await deps.destinations.recovered(buyerId, now))) return;
      await publish(buyerId, deps);
      deps.wake([buyerId], orgId, { recovered: true });
    }),
  );
}

const UNKNOWN = { pauses: 0, retry_at: null };

/** The event is stored with what it reports: if it cannot be moved now, the next one or `reconcile` moves it. */
async function publish(buyerId: string, { events, log }: SellingDeps): Promise<void> {
  try {
    await events.flush(buyerId);
  } catch (error) {
    log.warn({ err: error, buyer_id: buyerId }, 'an event could not be moved to the outbox yet');
  }
}

/** How the last of them failed, in a word: what a buyer writes may be about a person, and events go far. */
function kindOf(failed: readonly Answered[]): string {
  const { http_status: status, result } = failed.at(-1)?.verdict ?? {};
  if (status !== undefined) return `http_${status}`;
  return result === 'unknown' ? 'no_answer' : 'not_reached';
}

/** A business refusal is an answer of a healthy buyer. */
const isFailure = (result: Answered['verdict']['result']): boolean =>
  result === 'not_taken' || result === 'unknown';
