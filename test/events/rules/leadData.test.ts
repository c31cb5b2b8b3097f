import { describe, expect, it } from '@jest/globals';
import { leadData } from '../../../src/events/rules/leadData.js';
import type { LeadFacts } from '../../../src/events/rules/leadFacts.js';
import { aLead } from '../../support/storedRows.js';

const FACTS: LeadFacts = {
  status: 'NEW',
  outcome: null,
  buyer_id: null,
  price: 0,
  revenue: 0,
  cost: 0,
};

describe('what an event says of its lead', () => {
  it('is the same of a lead that has come, also when it turns out to be a duplicate', () => {
    const before = aLead();
    const after = { ...before, duplicate_of: 'lead-0' };
    expect(leadData(after, FACTS)).toEqual(leadData(before, FACTS));
  });

  it('names the earlier lead of one that has ended as a duplicate', () => {
    const lead = aLead({ duplicate_of: 'lead-0' });
    expect(leadData(lead, { ...FACTS, status: 'DUPLICATE' })).toMatchObject({
      duplicate_of: 'lead-0',
    });
  });
});
