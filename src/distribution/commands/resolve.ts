/** Settling by an operator's word what a buyer never answered. */
import { setTimeout as delay } from 'node:timers/promises';
import type { QueueAnswer } from '../../../workflows/queueCommands.js';
import type { QueueStore } from '../../deliveries/store/queue.js';
import { plansFor } from '../plansFor.js';
import type { ScreeningDeps } from '../screening.js';
import { resumedTask } from '../resume.js';
import { answered } from '../rows.js';
import { sell } from '../sell.js';
import { conclude, note } from '../settle.js';
import { adoptAll, commitAll } from '../slots.js';
import type { Answered, Task } from '../task.js';
import { suppressionHits } from '../suppressionHits.js';
import { refuse, type Taken } from './answers.js';

export interface ResolveDeps extends ScreeningDeps {
  queue: QueueStore;
  background: { add(work: Promise<void>): void };
}

/** How long the next buyers are waited for before the answer is given, in milliseconds. */
const WAIT_MS = 5_000;
const RESOLVED = 'resolved';

/**
 * accepted: the sale is booked, and the lead goes on to further buyers where its plan allows more. rejected: its slot
 * is given back, and the next buyer is asked. Null when it is done; what the buyer itself said meanwhile stands.
 */
export async function resolve(
  result: 'accepted' | 'rejected',
  taken: Taken,
  deps: ResolveDeps,
): Promise<QueueAnswer | null> {
  const { row, run } = taken;
  const now = deps.clock.now();
  const answer = await asAnswer(result, taken, deps);
  if (!answer) return refuse('not_waiting', `The plan of lead ${row.lead_id} is not stored.`);
  await deps.deliveries.giveUp([row._id], run.id, now);
  // What it is counted for becomes a hold: then a sale keeps it, and a refusal gives it back once.
  await adoptAll([answer], deps);
  const verdict = { id: row._id, state: result, set: { reason: RESOLVED } };
  const held = await deps.deliveries.settle(run.id, [verdict], now);
  if (!held.has(row._id)) {
    await commitAll([answer], deps);
    return refuse('busy', `Lead ${row.lead_id} was answered just now. Look at it again.`);
  }
  note(answer, now);
  const { goOn } = await conclude([answer], run, deps);
  if (goOn.length > 0) await askOthers(goOn, taken, deps);
  return null;
}

async function askOthers(tasks: readonly Task[], { run }: Taken, deps: ResolveDeps): Promise<void> {
  const selling = sell({ tasks }, run, deps);
  const done = selling.done.catch((error: unknown) =>
    // Its lease ends, and reconcile takes the lead up from its rows.
    deps.log.warn({ err: error }, 'a resolved lead could not be offered to the next buyer'),
  );
  deps.background.add(done);
  // Nobody waits for it as a supplier would: it prolongs its lease by itself.
  await selling.detach();
  await Promise.race([done, delay(WAIT_MS, undefined, { ref: false })]);
}

/** The row as if the buyer had said so. */
async function asAnswer(
  result: 'accepted' | 'rejected',
  { lead, row, run, trail }: Taken,
  deps: ResolveDeps,
): Promise<Answered | null> {
  const now = deps.clock.now();
  const plan = (await plansFor([lead], deps))(lead);
  if (!plan) return null;
  const rows = (await deps.deliveries.ofTaken([lead._id], run.id)).get(lead._id) ?? [row];
  const hits = await suppressionHits([lead], () => plan, deps);
  const task = resumedTask({
    ...{ lead, plan, rows, last: row, now },
    hits: hits.get(lead._id) ?? [],
  });
  task.trail.push(...trail);
  const [answer] = answered(task, { ...row, state: result, reason: RESOLVED });
  return answer ?? null;
}
