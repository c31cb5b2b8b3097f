import type { LeadEventType } from '../../events/rules/events.js';
import type { Lead } from './lead.js';
import type { LeadFacts } from '../../events/rules/leadFacts.js';

/** The parts of a lead that a change reads or writes. */
export type ChangedLead = Pick<
  Lead,
  | '_id'
  | 'status'
  | 'is_test'
  | 'sales'
  | 'price'
  | 'cost'
  | 'profit'
  | 'outcome'
  | 'outcome_at'
  | 'outcome_seq'
  | 'converted_at'
  | 'outcome_due'
>;

export interface ChangeEvent {
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
}
