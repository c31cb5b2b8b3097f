/**
 * Waiting leads that their buyer was sent and never answered, and that cannot be sent again as things stand: the buyer
 * does not honor the key any more, or is reached elsewhere. Its policy for unanswered requests decides.
 */
import { withoutKey } from '../routing/rules/consequence.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { SellingDeps } from './deps.js';
import { answered } from './rows.js';
import { conclude, note, rowResult } from './settle.js';
import { adoptAll, commitAll } from './slots.js';
import type { Reserved, Run, Task } from './task.js';

/** What waits of leads that this run has taken, with the terms of now. */
type Stranded = Reserved & { row: DeliveryDoc };

/** Nothing is sent. Returns the leads that may be offered to the next buyer. Repeatable. */
export async function settleStranded(
  stranded: readonly Stranded[],
  run: Run,
  deps: SellingDeps,
): Promise<Task[]> {
  if (stranded.length === 0) return [];
  const now = deps.clock.now();
  const answers = stranded.flatMap(({ task, row, terms }) =>
    answered(task, { ...row, state: 'unknown' }).map((one) => ({
      ...one,
      terms: withoutKey(terms),
    })),
  );
  // What they are counted for becomes holds: then going on gives it back once.
  await adoptAll(answers, deps);
  await deps.deliveries.giveUp(
    answers.map(({ row }) => row._id),
    run.id,
    now,
  );
  const results = answers.map((answer) => rowResult(answer, now));
  const held = await deps.deliveries.settle(run.id, results, now);
  // The buyer's own word came just now: its run books it.
  await commitAll(
    answers.filter(({ row }) => !held.has(row._id)),
    deps,
  );
  const ours = answers.filter(({ row }) => held.has(row._id));
  ours.forEach((answer) => note(answer, now));
  return (await conclude(ours, run, deps)).goOn;
}
