/** The body of the lead that a submitted page makes. */
import { describe, expect, it } from '@jest/globals';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import { bodyOf, countedOf, type Visit } from '../../../src/funnels/submit/visit.js';
import { mapping } from '../rules/mapping.js';

const bodyWith = (
  answers: Record<string, string>,
  ...own: (Partial<FieldRule> & { name: string })[]
) => {
  const visit = {
    page: { mode: 'live' },
    posted: { sources: {}, referrer: null, certificates: {} },
    tools: {},
    shown: {
      fields: mapping(...own),
      funnel: { campaign_id: 'campaign', supplier_id: 'supplier' },
      definition: { certificates: { trusted_form: false, jornaya_campaign_id: null } },
    },
  };
  return bodyOf(visit as unknown as Visit, answers);
};

describe('a lead with a zip code', () => {
  it.each([
    ['90210', 'CA'],
    [' 77001-1234 ', 'TX'],
    ['00901', 'PR'],
  ])('%s has its state, %s', (zip_code, state) => {
    expect(bodyWith({ zip_code })).toEqual({
      zip_code,
      state,
      flo_campaign_id: 'campaign',
      flo_supplier_id: 'supplier',
    });
  });

  it('keeps the state that the visitor gave', () => {
    expect(bodyWith({ zip_code: '90210', state: 'NV' })).toMatchObject({ state: 'NV' });
  });

  it.each(['00000', '96940', 'no zip'])('has no state where the table has none: %s', (zip_code) => {
    expect(bodyWith({ zip_code })).not.toHaveProperty('state');
  });

  it('has no state that its campaign would refuse', () => {
    const state = { name: 'state', type: 'State' as const, allowed_values: ['TX'] };
    expect(bodyWith({ zip_code: '90210' }, state)).not.toHaveProperty('state');
    expect(bodyWith({ zip_code: '77001' }, state)).toMatchObject({ state: 'TX' });
  });

  it('has no state by the zip code of another place', () => {
    const other = { name: 'moving_to', type: 'Zip / Postal Code' as const };
    expect(bodyWith({ moving_to: '90210' }, other)).not.toHaveProperty('state');
  });
});

describe('a visit', () => {
  it('counts for its version and source, on the day of the account', () => {
    const visit = {
      page: { version: 3 },
      posted: { sources: { utm_source: 'google' }, referrer: null },
      plan: { time_zone: 'America/New_York' },
      visitor: { host: 'forms.example' },
      shown: { funnel: { _id: 'funnel', org_id: 'org' } },
    };
    expect(countedOf(visit as unknown as Visit)).toEqual({
      orgId: 'org',
      funnelId: 'funnel',
      version: 3,
      timeZone: 'America/New_York',
      source: 'google',
    });
  });
});
