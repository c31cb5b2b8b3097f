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

describe('the lead data of an event', () => {
  it('is the same for a received lead, also when it is later a duplicate', () => {
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
