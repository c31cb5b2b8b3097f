/**
 * After the last fault every lead ends: it is decided, or held for an answer that may never come, or it waits for the
 * next window of a cap.
 */
import type { Lead } from '../../../src/leads/rules/lead.js';
import { isOpen } from '../../../src/leads/rules/leadStatus.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Fault, Violation } from '../evidence/evidence.js';
import { PROCESS_FAULTS } from './around.js';
import { stateOf, type Facts, type Property } from './facts.js';
import { createShares, roomOf, windowsOf } from './links.js';

export const undecided: Property = (facts) => [
  ...openLeads(facts),
  ...openRows(facts),
  ...leftForReconcile(facts),
];

function openLeads(facts: Facts): Violation[] {
  const hasNoRoom = createRoomCheck(facts);
  return facts.evidence.record.leads
    .filter((lead) => isOpen(lead.status) && !isHeld(lead, facts) && !hasNoRoom(lead))
    .map((lead) => {
      const rows = facts.rowsOf(lead._id).map(({ n, state }) => `row ${n} ${state}`);
      const run = lead.run == null ? 'no run has it' : `run ${lead.run} has it`;
      return {
        total: 'undecided',
        rule: 'lead_undecided',
        what: `${stateOf(lead)} at the end, ${run}, ${rows.join(', ') || 'no rows'}`,
        lead_id: lead._id,
      };
    });
}

/** How long after its hold ended a lead may wait for the drain or for `reconcile`, in milliseconds. */
const OVERDUE_MS = 150_000;

/** Held: sent, never answered, and its buyer's policy is to wait for an outcome. */
function isHeld(
  lead: Lead,
  { evidence, rowsOf, buyerLink }: Pick<Facts, 'evidence' | 'rowsOf' | 'buyerLink'>,
): boolean {
  if (lead.status === 'NEW' || lead.run != null) return false;
  return rowsOf(lead._id).some((row) => {
    const link = buyerLink(lead.campaign_id, row.buyer_id);
    return (
      row.state === 'unknown' &&
      link?.honours_idempotency_key === false &&
      link.on_unknown === 'hold' &&
      row.expires_at.getTime() + OVERDUE_MS > evidence.record.readAt
    );
  });
}

/**
 * Whether a lead was parked in one window, say the day before a midnight, and there is no room for it in the present one.
 * It waits for the next window, or for its age limit, which are later than the end of a run.
 */
function createRoomCheck(facts: Facts): (lead: Lead) => boolean {
  const { record } = facts.evidence;
  const counters = new Map(record.caps.map((doc) => [doc._id, doc]));
  const sharesOf = createShares(facts);
  return (lead) => {
    if (lead.status === 'NEW' || lead.run != null) return false;
    return facts
      .rowsOf(lead._id)
      .filter(({ state, expires_at }) => state === 'parked' && expires_at.getTime() > record.readAt)
      .some((row) =>
        sharesOf(lead, row.buyer_id, row).some(({ of, leads, reserved }) =>
          windowsOf(row, of).some(({ window, key }) => {
            const present = counters.get(of.id)?.[window];
            if (present === undefined || present.key === key) return false;
            const room = roomOf(of.limits, { window, key });
            return present.count + leads > room.count || present.amount + reserved > room.amount;
          }),
        ),
      );
  };
}

const WAITING: readonly DeliveryDoc['state'][] = ['parked', 'unknown'];

/** A row that still says `sending`, or waits although its lead is decided: no process will check it again. */
function openRows({ evidence, leads }: Facts): Violation[] {
  return evidence.record.deliveries.flatMap((row): Violation[] => {
    const found = (rule: string, what: string): Violation[] => [
      { total: 'undecided', rule, what, lead_id: row.lead_id },
    ];
    if (row.state === 'sending') {
      const late = evidence.record.readAt - row.answer_by.getTime();
      const what = `row ${row._id} still says sending, ${late} ms after its answer was due`;
      return found('row_still_sending', what);
    }
    const lead = leads.get(row.lead_id);
    if (!WAITING.includes(row.state) || !lead || isOpen(lead.status)) return [];
    return found('row_left_waiting', `row ${row._id} is ${row.state}, but ${stateOf(lead)}`);
  });
}

/** In a run without process faults nothing is left behind: the process that stores work also wakes its handler. */
function leftForReconcile({ evidence, faults }: Facts): Violation[] {
  if (faults.some(isProcessFault)) return [];
  return Object.entries(evidence.record.reconciled).flatMap(([kind, count]): Violation[] => {
    if (count === 0) return [];
    const what = `reconcile mended ${count} of the kind "${kind}", though no process was killed or stopped`;
    return [{ total: 'undecided', rule: 'left_for_reconcile', what }];
  });
}

const isProcessFault = ({ type }: Fault): boolean => PROCESS_FAULTS.includes(type);
