/** A lead that is taken up again: whom it may still be offered to follows from its plan and its delivery rows. */
import type { Lead } from '../../src/domain/lead.js';
import type { Plan } from '../../src/domain/plan.js';
import { candidatesAgain, type SuppressionHit } from '../../src/domain/suppression.js';
import type { DeliveryDoc } from '../../src/store/collections.js';
import { asTask } from '../screening.js';
import { missedOf } from './rows.js';
import type { Task } from './task.js';

interface Resumed {
  lead: Lead;
  plan: Plan;
  /** All delivery rows of the lead. */
  rows: readonly DeliveryDoc[];
  /** The row that says where the lead stands. */
  last: DeliveryDoc;
  hits: readonly SuppressionHit[];
  now: Date;
}

export function resumedTask({ lead, plan, rows, last, hits, now }: Resumed): Task {
  const ranked = candidatesAgain(plan, lead, hits, now);
  const tried = rows.map((row) => row.buyer_id);
  const others = rows.filter((row) => row._id !== last._id);
  const candidates = ranked.filter((terms) => !tried.includes(terms.buyer_id));
  return {
    ...asTask({ lead, plan, candidates, trail: [] }),
    missed: missedOf(others, ranked),
    sold: others.filter(({ state }) => state === 'accepted').length,
    nextAttempt: Math.max(...rows.map(({ n }) => n)) + 1,
  };
}
