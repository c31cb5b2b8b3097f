/**
 * Waiting leads that their buyer was sent and never answered, and that cannot be sent again at present: the buyer
 * no longer honors the key, or has another address. Its policy for unanswered requests decides.
 */
import { withoutKey } from '../routing/rules/consequence.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { SellingDeps } from './deps.js';
import { toAnswered } from './rows.js';
import { conclude, appendTrail, rowResult } from './settle.js';
import { adoptReservations } from './capReservations.js';
import type { Reserved, Lease, Task } from './task.js';

/** The waiting rows of leads that this run has acquired, with the current terms. */
type Stranded = Reserved & { row: DeliveryDoc };

/** Nothing is sent. Returns the leads that may be offered to the next buyer. Repeatable. */
export async function settleStranded(
  stranded: readonly Stranded[],
  lease: Lease,
  deps: SellingDeps,
): Promise<Task[]> {
  if (stranded.length === 0) return [];
  const now = deps.clock.now();
  const answers = stranded.flatMap(({ task, row, terms }) =>
    toAnswered(task, { ...row, state: 'unknown' }).map((one) => ({
      ...one,
      terms: withoutKey(terms),
    })),
  );
  await deps.deliveries.endUnanswered(
    answers.map(({ row }) => row._id),
    lease.id,
    now,
  );
  // Their counts become reservations: then going on releases them once.
  await adoptReservations(answers, deps);
  const results = answers.map((answer) => rowResult(answer, now));
  const held = await deps.deliveries.settle(lease.id, results, now);
  // For the others the buyer has just answered: the run that sent the lead records it, and `reconcile` ends their reservations.
  const ours = answers.filter(({ row }) => held.has(row._id));
  ours.forEach((answer) => appendTrail(answer, now));
  return (await conclude(ours, lease, deps)).goOn;
}
