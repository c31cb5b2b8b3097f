/** Resumes a lead: its plan and its delivery rows determine which buyers it may still be offered to. */
import type { Lead } from '../leads/rules/lead.js';
import type { Plan } from '../account/rules/plan.js';
import { resumedEntry } from '../routing/replay/replayFacts.js';
import { candidatesAgain } from '../routing/rules/suppression.js';
import { planNow } from '../routing/rules/termsNow.js';
import type { SuppressionHit } from '../account/rules/suppressionKeys.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import { asTask } from './screening.js';
import { listMissed } from './rows.js';
import type { Task } from './task.js';

export interface ResumeInput {
  lead: Lead;
  plan: Plan;
  /** All delivery rows of the lead. */
  rows: readonly DeliveryDoc[];
  /** The row that determines the lead's state. */
  last: DeliveryDoc;
  hits: readonly SuppressionHit[];
  now: Date;
  /** The current version of the plan, for a lead that has waited. Absent: the lead's own applies to all buyers. */
  latest?: Plan | undefined;
  /** Its last request was never answered, and is not sent again. */
  notAgain?: boolean;
}

/** The task; its trail names the row from which it continues. */
export function buildResumedTask(resumed: ResumeInput): Task {
  const { lead, plan, rows, last, hits, now, notAgain = false } = resumed;
  const latest = resumed.latest?.version === plan.version ? undefined : resumed.latest;
  const ranked = candidatesAgain(latest ? planNow(plan, latest) : plan, lead, hits, now);
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
    ...(latest ? { termsVersion: latest.version } : {}),
    ...(notAgain ? { notAgain } : {}),
    missed: missed.map(({ terms, reason }) => ({ buyer_id: terms.buyer_id, reason })),
  });
  const candidates = ranked.filter((terms) => !tried.includes(terms.buyer_id));
  return {
    ...asTask({ lead, plan, candidates, trail: [entry] }),
    missed,
    sold,
    ...(soldTo === undefined ? {} : { soldTo }),
    nextAttempt: Math.max(...rows.map(({ n }) => n)) + 1,
  };
}
