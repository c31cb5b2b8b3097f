/** What there is to tell of a change of a sold lead. */
import type { ChangedLead } from './applyChange.js';
import type { LeadEventType, LeadFacts } from '../../events/rules/events.js';
import type { ChangeAsk } from '../../leads/rules/saleChange.js';
import { shownStatus } from '../../leads/rules/shownStatus.js';

export interface ChangeEvent {
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
}

/** The event of a change that was made. @param lead as it is afterwards */
export function changeEvent(
  lead: ChangedLead,
  { buyer_id, ask, at }: { buyer_id: string; ask: ChangeAsk; at: Date },
): ChangeEvent {
  const sale = lead.sales.find((one) => one.buyer_id === buyer_id);
  return {
    type: ask.kind === 'return' ? 'lead.returned' : 'lead.outcome',
    at,
    data: {
      status: shownStatus(lead) as LeadFacts['status'],
      outcome: sale?.outcome ?? null,
      buyer_id,
      price: sale?.price ?? 0,
      revenue: lead.price,
      cost: lead.cost,
    },
  };
}
