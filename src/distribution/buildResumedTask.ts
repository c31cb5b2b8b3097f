/** Builds the task of a resumed lead: its plan and its rows determine which buyers it may still be offered to. */
import { resumedEntry } from '../routing/replay/replayFacts.js';
import { barsEveryone, candidatesAgain } from '../routing/rules/suppression.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Grounds } from './readGrounds.js';
import { listMissed } from './rows.js';
import { asTask, type Task } from './task.js';

export interface ResumeInput {
  grounds: Grounds;
  /** All delivery rows of the lead. */
  rows: readonly DeliveryDoc[];
  /** The row that determines the lead's state. */
  last: DeliveryDoc;
  now: Date;
  /** Its last request is unanswered, and is not sent again. */
  notAgain?: boolean;
}

/** The task; its trail names the row from which it continues. */
export function buildResumedTask(resumed: ResumeInput): Task {
  const { grounds, rows, last, now, notAgain = false } = resumed;
  const { lead, plan, planNow, latest, termsVersion, hits } = grounds;
  const ranked = candidatesAgain(planNow, lead, hits, now);
  const tried = [...new Set(rows.map((row) => row.buyer_id))];
  const others = rows.filter((row) => row._id !== last._id);
  const missed = listMissed(others, ranked);
  const accepted = others.filter(({ state }) => state === 'accepted');
  const sold = accepted.length;
  const soldTo = lead.buyer_id ?? accepted.toSorted((a, b) => a.n - b.n)[0]?.buyer_id;
  const entry = resumedEntry({
    at: now,
    buyer_id: last.buyer_id,
    state: last.state,
    said: last.reason ?? last.state,
    tried,
    sold,
    hits: [...hits],
    termsVersion,
    barred: barsEveryone(planNow, hits),
    notAgain,
    missed: missed.map(({ terms, reason }) => ({ buyer_id: terms.buyer_id, reason })),
  });
  const candidates = ranked.filter((terms) => !tried.includes(terms.buyer_id));
  return {
    ...asTask({ lead, plan, zone: latest?.time_zone, candidates, trail: [entry] }),
    missed,
    sold,
    soldTo,
    nextAttempt: Math.max(...rows.map(({ n }) => n)) + 1,
  };
}
