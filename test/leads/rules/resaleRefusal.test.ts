import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../../src/account/rules/plan.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { findResaleRefusal } from '../../../src/leads/rules/resale.js';
import { aPlan, aSupplier } from '../../support/builders.js';
import { aLead } from '../../support/storedRows.js';

const resale = (...campaigns: string[]): Partial<Lead> => ({
  resale: { campaigns } as Lead['resale'] & object,
});
const paused = { s1: aSupplier({ status: 'paused' }) };

function refusal(lead: Partial<Lead> = {}, plan: Partial<Plan> = {}) {
  const own = aPlan({ name: 'Auto', suppliers: { s1: aSupplier() }, ...plan });
  return findResaleRefusal(aLead({ campaign_id: 'c1', supplier_id: 's1', ...lead }), own);
}

describe('why a lead cannot be sold again', () => {
  it('is nothing, in its own campaign and in one that its data has not been in', () => {
    expect(refusal()).toBeNull();
    expect(refusal(resale('c1', 'c3'))).toBeNull();
    expect(refusal({}, { campaign_id: 'c2' })).toBeNull();
    // Its own campaign has paused the supplier since.
    expect(refusal({}, { suppliers: paused })).toBeNull();
  });

  it.each([
    [
      { origin: { suspect: 'trap' } } as unknown as Partial<Lead>,
      {},
      'It is the lead of a suspected bot, which is never sold.',
    ],
    [
      resale(...Array.from({ length: 10 }, (_, n) => `x${n}`)),
      {},
      'Its data was already resold 10 times, which is the maximum.',
    ],
    [resale('c2'), { campaign_id: 'c2' }, 'Its data has been in the campaign Auto before.'],
    [
      {},
      { suppliers: {} },
      'Its supplier is not linked to the campaign Auto; add_supplier_to_campaign links it.',
    ],
    [
      {},
      { status: 'PAUSED' as const },
      'The campaign Auto is PAUSED; only an ACTIVE campaign accepts leads.',
    ],
    [
      {},
      { campaign_id: 'c2', suppliers: paused },
      "Its supplier, or the supplier's link to the campaign Auto, is paused.",
    ],
  ] as [Partial<Lead>, Partial<Plan>, string][])('%#: is said in words', (lead, plan, words) => {
    expect(refusal(lead, plan)).toBe(words);
  });

  it('is not a pause for a test lead, and the tenth resale is the last', () => {
    expect(refusal({ is_test: true }, { status: 'PAUSED', suppliers: paused })).toBeNull();
    expect(refusal(resale(...Array.from({ length: 9 }, (_, n) => `x${n}`)))).toBeNull();
  });
});
