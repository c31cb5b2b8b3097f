/** Sold leads, and changes of them. */
import { applyChange, type AskedChange } from '../../../src/outcomes/rules/applyChange.js';
import type { Lead, Sale } from '../../../src/leads/rules/lead.js';
import type { ChangeAsk, OutcomeAsk } from '../../../src/leads/rules/saleChange.js';
import { moneyOf } from '../../../src/leads/rules/saleMoney.js';
import { after, aLead, NOW } from '../../support/storedRows.js';

export const aSale = (buyer_id: string, more: Partial<Sale> = {}): Sale => ({
  buyer_id,
  attempt: 1,
  price: 10e6,
  cost: 4e6,
  at: NOW,
  ...more,
});
export const sold = (...sales: Sale[]): Lead =>
  aLead({ status: 'ACCEPTED', buyer_id: 'b1', sales, ...moneyOf(sales), outcome_due: after(9e6) });

const BUYER = { kind: 'buyer', id: 'b1' } as const;
export const change = (ask: ChangeAsk, more: Partial<AskedChange> = {}): AskedChange => ({
  buyer_id: 'b1',
  by: BUYER,
  ask,
  at: after(1_000),
  ...more,
});
export const says = (
  said: Omit<OutcomeAsk, 'kind'>,
  more: Partial<AskedChange> = {},
): AskedChange => change({ kind: 'outcome', ...said }, more);
export const RETURN = {
  kind: 'return',
  return_id: 'r1',
  reason: 'duplicate',
  reverse_cost: true,
} as const;

/** Applies one change after the other. */
export function course(lead: Lead, ...changes: AskedChange[]): Lead {
  return changes.reduce((now, one) => {
    const applied = applyChange(now, one);
    if (!applied) throw new Error('the buyer does not have it');
    const trail = applied.entry ? [...now.trail, applied.entry] : now.trail;
    return { ...applied.lead, trail };
  }, lead);
}
