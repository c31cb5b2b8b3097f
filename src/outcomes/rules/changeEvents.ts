/** The event of a change of a sold lead. */
import type { ChangedLead, ChangeEvent } from '../../leads/rules/changedLead.js';
import type { ChangeAsk } from '../../leads/rules/saleChange.js';
import { shownStatus } from '../../leads/rules/shownStatus.js';

/** The event of an applied change. @param lead as it is afterwards */
export function changeEvent(
  lead: ChangedLead,
  { buyer_id, ask, at }: { buyer_id: string; ask: ChangeAsk; at: Date },
): ChangeEvent {
  const sale = lead.sales.find((one) => one.buyer_id === buyer_id);
  return {
    type: ask.kind === 'return' ? 'lead.returned' : 'lead.outcome',
    at,
    data: {
      status: shownStatus(lead) as ChangeEvent['data']['status'],
      outcome: sale?.outcome ?? null,
      buyer_id,
      price: sale?.price ?? 0,
      revenue: lead.price,
      cost: lead.cost,
    },
  };
}
