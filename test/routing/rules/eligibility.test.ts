import { describe, expect, it } from '@jest/globals';
import { findSkipReason } from '../../../src/routing/rules/eligibility.js';
import type { EligibleLead, Skip } from '../../../src/routing/rules/eligibility.js';
import type { FilterGroup } from '../../../src/fields/filters.js';
import type { BuyerTerms } from '../../../src/account/rules/plan.js';
import type { Schedule } from '../../../src/fields/schedule.js';
import { aBuyer, someFields } from '../../support/builders.js';

/** Saturday 07:00 in New York. */
const context = {
  now: new Date('2026-11-21T12:00:00Z'),
  timeZone: 'America/New_York',
  method: 'WATERFALL' as const,
};
const why = (buyer: Partial<BuyerTerms>, lead: Partial<EligibleLead> = {}) =>
  findSkipReason(aBuyer(buyer), { fields: someFields(), is_test: false, ...lead }, context);

const filters: FilterGroup = { all: [{ id: 'f1', field: 'age', operator: '>=', value: 40 }] };
const office: Schedule = [{ days: ['mon', 'tue'], from: '09:00', to: '17:00' }];
const beverlyHills = { zips: ['90210'], miles: 25 };
const closed: Skip = {
  reason: 'closed',
  detail: { local_time: 'sat 07:00', opens_at: new Date('2026-11-23T14:00:00Z') },
};

describe('a buyer is left out', () => {
  const table: [string, Partial<BuyerTerms>, Partial<EligibleLead>, Skip][] = [
    [
      'while it is paused',
      { status: 'paused' },
      {},
      { reason: 'paused', detail: { status: 'paused' } },
    ],
    [
      'while it is paused, of a test lead too',
      { status: 'paused', test_mode: true },
      { is_test: true },
      { reason: 'paused', detail: { status: 'paused' } },
    ],
    [
      'in test mode, of a live lead',
      { test_mode: true },
      {},
      { reason: 'test_mode_only', detail: { test_mode: true, is_test: false } },
    ],
    [
      'live, of a test lead',
      {},
      { is_test: true },
      { reason: 'live_only', detail: { test_mode: false, is_test: true } },
    ],
    [
      'that serves states, of a lead without',
      { states: ['TX'] },
      { fields: {} },
      { reason: 'state_missing', detail: { served: ['TX'] } },
    ],
    [
      'of other states',
      { states: ['CA', 'NV'] },
      {},
      { reason: 'state_not_served', detail: { state: 'TX', served: ['CA', 'NV'] } },
    ],
    [
      'that serves zip codes, of a lead without',
      { zips: ['90210', '10001'] },
      {},
      { reason: 'zip_missing', detail: { served_zips: 2 } },
    ],
    [
      'that serves a radius, of a lead without zip code',
      { zips: beverlyHills },
      {},
      { reason: 'zip_missing', detail: { served_miles: 25, served_centres: 1 } },
    ],
    [
      'of other zip codes',
      { zips: ['90210'] },
      { fields: someFields({ zip_code: '10001' }) },
      { reason: 'zip_not_served', detail: { zip_code: '10001', served_zips: 1 } },
    ],
    [
      'too far away',
      { zips: beverlyHills },
      { fields: someFields({ zip_code: '92101' }) },
      {
        reason: 'zip_not_served',
        detail: { zip_code: '92101', served_miles: 25, served_centres: 1, miles: 119 },
      },
    ],
    [
      'of a radius, for an unknown zip code',
      { zips: beverlyHills },
      { fields: someFields({ zip_code: '00000' }) },
      {
        reason: 'zip_not_served',
        detail: { zip_code: '00000', served_miles: 25, served_centres: 1, unknown_zip: true },
      },
    ],
    [
      'whose filters fail',
      { filters },
      { fields: someFields({ age: 39 }) },
      {
        reason: 'filtered',
        detail: { failures: [{ filter_id: 'f1', field: 'age', operator: '>=', actual: 39 }] },
      },
    ],
    ['while it is closed, with when it opens', { schedule: office }, {}, closed],
  ];
  it.each(table)('%s', (_, buyer, lead, skip) => {
    expect(why(buyer, lead)).toEqual(skip);
  });

  it('for the first reason only', () => {
    const buyer: Partial<BuyerTerms> = {
      states: ['CA'],
      zips: ['90210'],
      filters,
      schedule: office,
    };
    expect(why(buyer)?.reason).toBe('state_not_served');
    expect(why({ ...buyer, states: [] })?.reason).toBe('zip_missing');
    expect(why({ ...buyer, states: [], zips: null })?.reason).toBe('filtered');
    expect(why({ schedule: office })?.reason).toBe('closed');
  });
});

describe('a buyer is eligible', () => {
  const table: [string, Partial<BuyerTerms>, Partial<EligibleLead>][] = [
    ['of every state, for a lead without one', { states: [] }, { fields: {} }],
    ['of its state, in any case', { states: ['tx'] }, {}],
    [
      'of its zip code, also written as ZIP+4',
      { zips: ['90210'] },
      { fields: { zip_code: '90210-1234' } },
    ],
    ['of its neighbourhood', { zips: beverlyHills }, { fields: { zip_code: '90001' } }],
    ['whose filters hold', { filters }, { fields: someFields({ age: '40' }) }],
    ['in test mode, for a test lead', { test_mode: true }, { is_test: true }],
    ['while it is open', { schedule: [{ days: ['sat'], from: '07:00', to: '07:01' }] }, {}],
    [
      'while it is closed, when leads are held for it',
      { schedule: office, when_closed: 'HOLD' },
      {},
    ],
  ];
  it.each(table)('%s', (_, buyer, lead) => {
    expect(why(buyer, lead)).toBeUndefined();
  });
});
