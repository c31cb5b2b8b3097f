import { describe, expect, it } from '@jest/globals';
import { changeEvent } from '../../../src/outcomes/rules/applyChange.js';
import { after } from '../../support/storedRows.js';
import { aSale, change, course, RETURN, says, sold } from './soldLeads.js';

const AT = after(2_000);
const lead = sold(aSale('b2', { price: 3e6 }), aSale('b1'));

describe('the event of a change', () => {
  it('names the outcome of the sale that changed, and the money of the lead', () => {
    const ask = { kind: 'outcome', outcome: 'converted', conversion_revenue: 50e6 } as const;
    expect(changeEvent(course(lead, says(ask)), { buyer_id: 'b1', ask, at: AT })).toEqual({
      type: 'lead.outcome',
      at: AT,
      data: {
        status: 'converted',
        outcome: 'converted',
        buyer_id: 'b1',
        price: 10e6,
        revenue: 53e6,
        cost: 8e6,
      },
    });
  });

  it('is of a return, without an outcome that nobody reported', () => {
    const returned = course(lead, change(RETURN));
    expect(changeEvent(returned, { buyer_id: 'b1', ask: RETURN, at: AT })).toEqual({
      type: 'lead.returned',
      at: AT,
      data: {
        status: 'ACCEPTED',
        outcome: null,
        buyer_id: 'b1',
        price: 10e6,
        revenue: 3e6,
        cost: 4e6,
      },
    });
  });

  it('has no price for a buyer that does not have the lead', () => {
    const ask = { kind: 'window' } as const;
    expect(changeEvent(lead, { buyer_id: 'b3', ask, at: AT })).toMatchObject({
      type: 'lead.outcome',
      data: { outcome: null, price: 0, revenue: 13e6 },
    });
  });
});
