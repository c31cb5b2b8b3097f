/** A campaign as the terminal shows it. Pure. */
import { describe, expect, it } from '@jest/globals';
import { formatCampaign } from '../../../cli/output/campaign.js';
import { textWidth } from '../../../cli/output/width.js';
import { viewOf } from '../tableView.js';

const BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const campaign = {
  id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
  name: 'Solar CA',
  status: 'ACTIVE',
  max_sells: 1,
  daily_cap: 500,
  total_budget: null,
  daily_caps: { sat: 50, sun: null },
  buyers: [
    {
      buyer_id: BUYER,
      name: 'Acme',
      status: 'active',
      price: 25,
      daily_cap: 20,
      total_budget: 900,
    },
    { buyer_id: 'b2', name: 'Best', status: 'paused', price: 1250.5, daily_cap: null },
  ],
  suppliers: [
    { supplier_id: 's1', name: 'Search', status: 'active', cost_mode: 'FIXED', cost_per_lead: 9 },
    {
      supplier_id: 's2',
      name: 'Social',
      status: 'active',
      cost_mode: 'REVENUE_SHARE',
      revenue_share: 40,
    },
  ],
};
const usage = (scope: string, id: string | null, part: object) => ({
  scope,
  buyer_id: scope === 'buyer' ? id : null,
  supplier_id: scope === 'supplier' ? id : null,
  ...part,
});
const cap_usage = [
  usage('campaign', null, { window: 'day', of: 'count', limit: 500, used: 123 }),
  usage('buyer', BUYER, { window: 'day', of: 'count', limit: 20, used: 20 }),
  usage('buyer', BUYER, { window: 'total', of: 'budget', limit: 900, used: 512.5 }),
];
const look = { zone: 'UTC', currency: 'USD', now: 0 };
const partOf = (data: object, title: string, width = 100): string[] => {
  const text = formatCampaign({ ...data }, viewOf(width, { look }));
  return (
    text
      .split('\n\n')
      .find((part) => part.startsWith(title))
      ?.split('\n') ?? []
  );
};

describe('a campaign', () => {
  it('begins with its limits, and what is used of them', () => {
    expect(partOf({ ...campaign, cap_usage }, 'Solar CA')).toEqual([
      `Solar CA is ACTIVE  ${campaign.id}`,
      'caps: 123 of 500 a day, 50 on sat',
    ]);
  });

  it('has its buyers with their prices, their caps and the use of these', () => {
    expect(partOf({ ...campaign, cap_usage }, 'Buyers')).toEqual([
      'Buyers',
      '  STATUS  NAME      PRICE  CAPS                                     ID',
      '  active  Acme     $25.00  20 of 20 a day, $512.50 of $900.00 ever  8a4e5d0c',
      '  paused  Best  $1,250.50  –                                        b2',
    ]);
  });

  it('shows limits alone where the use of them is not known', () => {
    expect(partOf(campaign, 'Buyers')[2]).toMatch(/20 a day, \$900\.00 ever/);
    expect(partOf(campaign, 'Solar CA')[1]).toBe('caps: 500 a day, 50 on sat');
  });

  it('breaks caps into lines on a narrow terminal, and leaves none of them out', () => {
    const lines = partOf({ ...campaign, cap_usage }, 'Buyers', 60);
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(60);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain('$900.00 ever');
  });

  it('has its suppliers with what they get, and its settings without what is above', () => {
    expect(partOf(campaign, 'Suppliers').slice(2)).toEqual([
      '  active  Search  $9.00  s1',
      '  active  Social  40 %   s2',
    ]);
    expect(partOf(campaign, 'Settings')).toEqual(['Settings', 'max_sells  1']);
  });
});
