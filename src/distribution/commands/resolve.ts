/** Settles a request that a buyer never answered, by the operator's decision. */
import { setTimeout as delay } from 'node:timers/promises';
import type { QueueAnswer, Refusal } from '../../../workflows/queueCommands.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { QueueStore } from '../../deliveries/store/queue.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import { readGrounds } from '../readGrounds.js';
import type { ScreeningDeps } from '../screening.js';
import { buildResumedTask } from '../buildResumedTask.js';
import { toAnswered } from '../rows.js';
import { GroupSale } from '../sell.js';
import { logStuck } from '../stuck.js';
import { conclude, appendTrail } from '../settle.js';
import { adoptReservations } from '../capReservations.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { Answered, Lease, Task } from '../task.js';

export interface ResolveDeps extends ScreeningDeps {
  collections: Pick<AccountCollections, 'campaigns'>;
  queue: QueueStore;
  background: { add(work: Promise<void>): void };
}

/** A waiting lead that the command has acquired. */
export interface AcceptedCommand {
  lead: Lead;
  row: DeliveryDoc;
  lease: Lease;
  /** Entries to add to its trail. */
  trail: TrailEntry[];
}

/** A business refusal is an answer, not an error: it must raise no alert. */
export const refuse = (refused: Refusal, message: string): QueueAnswer => ({ refused, message });

/** How long the command waits for the next buyers before it answers, in milliseconds. */
const WAIT_MS = 5_000;
const RESOLVED = 'resolved';

/**
 * accepted: the sale is recorded, and the lead goes on to further buyers where its plan allows more. rejected: its
 * reservation is released, and the next buyer is asked. Null when it is done; an answer of the buyer that arrives
 * meanwhile stands.
 */
export async function resolve(
  result: 'accepted' | 'rejected',
  taken: AcceptedCommand,
  deps: ResolveDeps,
): Promise<QueueAnswer | null> {
  const { row, lease } = taken;
  const now = deps.clock.now();
  const answer = await asAnswer(result, taken, deps);
  if (!answer)
    return refuse('not_waiting', `Lead ${row.lead_id} or its plan cannot be read: see the log.`);
  await deps.deliveries.endUnanswered([row._id], lease.id, now);
  // Its count becomes a reservation: then a sale keeps it, and a refusal releases it once.
  await adoptReservations([answer], deps);
  const verdict = { id: row._id, state: result, set: { reason: RESOLVED } };
  const held = await deps.deliveries.settle(lease.id, [verdict], now);
  // Its reservation is left to the run that received the answer, or to `reconcile`.
  if (!held.has(row._id))
    return refuse('busy', `Lead ${row.lead_id} has just been answered. Read it again.`);
  appendTrail(answer, now);
  const { goOn } = await conclude([answer], lease, deps);
  if (goOn.length > 0) await askOthers(goOn, taken, deps);
  return null;
}

async function askOthers(
  tasks: readonly Task[],
  { lease }: AcceptedCommand,
  deps: ResolveDeps,
): Promise<void> {
  const selling = new GroupSale({ tasks }, lease, deps);
  const done = selling.done.catch((error: unknown) =>
    // Its lease ends, and `reconcile` resumes the lead from its rows.
    deps.log.warn({ err: error }, 'a resolved lead could not be offered to the next buyer'),
  );
  deps.background.add(done);
  // No supplier waits for it: it extends its lease by itself.
  await selling.detach();
  await Promise.race([done, delay(WAIT_MS, undefined, { ref: false })]);
}

/** The row as if the buyer had answered so. */
async function asAnswer(
  result: 'accepted' | 'rejected',
  { lead, row, lease, trail }: AcceptedCommand,
  deps: ResolveDeps,
): Promise<Answered | null> {
  // The time of the command: its entry follows that of the resumed lead in the trail, and is no older.
  const now = trail[0]?.at ?? deps.clock.now();
  const { grounds, stuck } = await readGrounds([lead], deps);
  logStuck(stuck, deps);
  const [found] = grounds;
  if (!found) return null;
  const rows = (await deps.deliveries.acquireRows([lead._id], lease.id)).get(lead._id) ?? [row];
  const task = buildResumedTask({ grounds: found, rows, last: row, now });
  task.trail.push(...trail);
  const [answer] = toAnswered(task, { ...row, state: result, reason: RESOLVED });
  return answer ?? null;
}
