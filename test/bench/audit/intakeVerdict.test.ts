import { describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { judgeLead, type StoredLead } from './intakeVerdict.js';

const stored = (status: Lead['status'], ...buyers: string[]): StoredLead => ({
  _id: 'lead',
  campaign_id: 'campaign',
  status,
  sales: buyers.map((buyer_id) => ({ buyer_id })),
});

describe('one lead in the audit of intake', () => {
  it.each([
    ['delivered', stored('ACCEPTED', 'a'), { a: 1 }],
    ['pending', stored('ACCEPTED', 'a'), { a: 1 }],
    ['pending', stored('PENDING'), {}],
    ['pending', stored('EXPIRED'), {}],
    ['UNMATCHED', stored('UNMATCHED'), {}],
    ['DUPLICATE', stored('DUPLICATE'), {}],
  ] as const)('is right when the answer was %s and is true', (told, lead, taken) => {
    expect(judgeLead(told, lead, taken, 1)).toBe('right');
  });

  it.each(['PENDING', 'EXPIRED'] as const)(
    'is right when it is %s and a buyer that never answered may have it',
    (status) => {
      expect(judgeLead('pending', stored(status), { a: 1 }, 1)).toBe('right');
    },
  );

  it('is right when it may be sold twice and is with two buyers', () => {
    const lead = stored('ACCEPTED', 'a', 'b');
    expect(judgeLead('delivered', lead, { a: 1, b: 1 }, 2)).toBe('right');
    expect(judgeLead('delivered', lead, { a: 1, b: 1 }, 1)).toBe('doubled');
  });

  it('is lost when it is not stored, was never started, or was withdrawn', () => {
    expect(judgeLead('delivered', undefined, {}, 1)).toBe('lost');
    expect(judgeLead('pending', stored('NEW'), {}, 1)).toBe('lost');
    expect(judgeLead('delivered', stored('WITHDRAWN'), {}, 1)).toBe('lost');
  });

  it('is lost when it is recorded as sold and its buyer never got it', () => {
    expect(judgeLead('delivered', stored('ACCEPTED', 'a'), {}, 1)).toBe('lost');
    expect(judgeLead('pending', stored('ACCEPTED', 'a'), { b: 1 }, 1)).toBe('lost');
  });

  it('is doubled when a buyer got it twice, also under the same key', () => {
    expect(judgeLead('delivered', stored('ACCEPTED', 'a'), { a: 2 }, 1)).toBe('doubled');
  });

  it('is doubled when it was sold to one buyer and delivered to another one too', () => {
    expect(judgeLead('delivered', stored('ACCEPTED', 'a'), { a: 1, b: 1 }, 1)).toBe('doubled');
    expect(judgeLead('delivered', stored('ACCEPTED', 'a'), { a: 1, b: 1 }, 2)).toBe('doubled');
  });

  it('is doubled when it has two sales to one buyer', () => {
    expect(judgeLead('delivered', stored('ACCEPTED', 'a', 'a'), { a: 1 }, 2)).toBe('doubled');
  });

  it('is false when its status differs from the answer', () => {
    expect(judgeLead('delivered', stored('UNMATCHED'), {}, 1)).toBe('false');
    expect(judgeLead('UNMATCHED', stored('ACCEPTED', 'a'), { a: 1 }, 1)).toBe('false');
    expect(judgeLead('pending', stored('UNMATCHED'), {}, 1)).toBe('false');
    expect(judgeLead('DUPLICATE', stored('UNMATCHED'), {}, 1)).toBe('false');
    expect(judgeLead('delivered', stored('ACCEPTED'), {}, 1)).toBe('false');
  });

  it('is false when the answer names no buyer and a buyer has it', () => {
    expect(judgeLead('UNMATCHED', stored('UNMATCHED'), { a: 1 }, 1)).toBe('false');
  });
});
