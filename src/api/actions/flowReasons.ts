/** What was lost where, and why: from the sums of a flow. */
import type { LossReason } from '../../leads/rules/loss.js';
import type { FlowRow } from '../../reports/readFlow.js';
import { CHECKS } from './schemas/flow.js';

export const rowsOf = (rows: readonly FlowRow[], facet: FlowRow['facet']): FlowRow[] =>
  rows.filter((row) => row.facet === facet);

type Summed = 'leads' | 'sales' | 'revenue' | 'cost';
/** One of the sums of these rows together. */
export const sum = (rows: readonly FlowRow[], key: Summed): number =>
  rows.reduce((all, row) => all + row[key], 0);

/** In percent, one decimal. */
export const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;

const REASON_OF: Record<Exclude<(typeof CHECKS)[number], 'duplicates'>, LossReason> = {
  bots: 'suspected_bot',
  filters: 'filtered',
  suppression: 'suppressed',
  supplier_caps: 'supplier_cap',
};

/** What was refused without a recorded reason counts for the filters, which refuse most. */
export function checksOf(rows: readonly FlowRow[], total: number) {
  const all = rowsOf(rows, 'all');
  const reasons = rowsOf(rows, 'reason');
  const of = (list: readonly FlowRow[], status: FlowRow['status']) =>
    sum(
      list.filter((row) => row.status === status),
      'leads',
    );
  const unrecorded = of(all, 'REJECTED') - of(reasons, 'REJECTED');
  return CHECKS.map((check) => {
    const leads =
      check === 'duplicates'
        ? of(all, 'DUPLICATE')
        : sum(
            reasons.filter((row) => row.status === 'REJECTED' && row.reason === REASON_OF[check]),
            'leads',
          ) + (check === 'filters' ? unrecorded : 0);
    return { check, leads, share_pct: percent(leads, total) };
  });
}

const LOST = ['REJECTED', 'DUPLICATE', 'UNMATCHED', 'EXPIRED'] as const;

/** Leads that were not sold for one reason. */
export interface CountedReason {
  reason: LossReason | 'duplicate' | 'unrecorded';
  status: (typeof LOST)[number];
  buyer_id: string | null;
  field: string | null;
  leads: number;
  share_pct: number;
  before: { leads: number; share_pct: number } | null;
}

type Counts = Map<
  string,
  Pick<CountedReason, 'reason' | 'status' | 'buyer_id' | 'field' | 'leads'>
>;

/** Those of now, and those of then that are gone; in sum the leads that were not sold. */
export function reasonsOf(
  rows: readonly FlowRow[],
  before: readonly FlowRow[] | null,
): CountedReason[] {
  const [now, then] = [countReasons(rows), before && countReasons(before)];
  const total = sum(rowsOf(rows, 'all'), 'leads');
  const totalThen = sum(rowsOf(before ?? [], 'all'), 'leads');
  return [...new Map([...(then ?? []), ...now])]
    .map(([key, one]) => {
      const leads = now.get(key)?.leads ?? 0;
      const earlier = then?.get(key)?.leads ?? 0;
      const counted = { leads: earlier, share_pct: percent(earlier, totalThen) };
      return { ...one, leads, share_pct: percent(leads, total), before: then && counted };
    })
    .sort(byWeight);
}

/** Most leads first; of equal ones those that are decided first, in an order that does not change. */
function byWeight(a: CountedReason, b: CountedReason): number {
  const byLeads = b.leads - a.leads || (b.before?.leads ?? 0) - (a.before?.leads ?? 0);
  return (
    byLeads ||
    LOST.indexOf(a.status) - LOST.indexOf(b.status) ||
    nameOf(a).localeCompare(nameOf(b), 'en')
  );
}

const nameOf = ({ reason, field, buyer_id }: CountedReason): string =>
  [reason, field, buyer_id].join(' ');

function countReasons(rows: readonly FlowRow[]): Counts {
  const counts: Counts = new Map();
  for (const status of LOST) {
    const ofStatus = (facet: FlowRow['facet']) =>
      rows.filter((row) => row.facet === facet && row.status === status);
    const recorded = ofStatus('reason');
    for (const { reason, of, leads } of recorded) {
      const isField = status === 'REJECTED';
      if (reason === null) continue;
      counts.set(JSON.stringify([status, reason, of]), {
        reason,
        status,
        buyer_id: isField ? null : of,
        field: isField ? of : null,
        leads,
      });
    }
    const left = sum(ofStatus('all'), 'leads') - sum(recorded, 'leads');
    const reason = status === 'DUPLICATE' ? 'duplicate' : 'unrecorded';
    if (left > 0)
      counts.set(`${status} ${reason}`, {
        reason,
        status,
        buyer_id: null,
        field: null,
        leads: left,
      });
  }
  return counts;
}
