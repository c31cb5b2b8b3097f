import { describe, it, expect } from '@jest/globals';
import { compilePlan } from '../../../src/account/plans/compilePlan.js';
import type { CampaignAccount } from '../../../src/account/plans/compilePlan.js';
import type { CampaignDoc } from '../../../src/account/store/campaignDoc.js';
import type {
  BuyerDoc,
  CampaignBuyerDoc,
  CampaignSupplierDoc,
  SupplierDoc,
} from '../../../src/account/store/accountDocs.js';

const at = new Date('2026-01-01T00:00:00Z');
const sealed = { key_id: 'k', iv: 'i', tag: 't', data: 'd' };
const campaign: CampaignDoc = {
  _id: 'c',
  org_id: 'o',
  name: 'Solar',
  status: 'ACTIVE',
  routing_method: 'DIRECT_POST',
  distribution_method: 'WATERFALL',
  max_sells: 1,
  answer_within_ms: 2_000,
  caps: { daily_cap: 5 },
  fields: [],
  filters: null,
  dedupe: { window_days: 30, fields: ['phone'], match: 'ANY', on_duplicate: 'REJECT' },
  plan_version: 3,
  created_at: at,
};

function linkedBuyer(
  id: string,
  change: Partial<BuyerDoc> = {},
  link: Partial<CampaignBuyerDoc> = {},
) {
  const buyer: BuyerDoc = {
    _id: id,
    org_id: 'o',
    name: `Buyer ${id}`,
    status: 'active',
    test_mode: false,
    delivery: {
      method: 'WEBHOOK',
      url: 'https://buyer.example',
      headers: {},
      timeout_ms: 5_000,
      honours_idempotency_key: false,
      on_unknown: 'hold',
      hold_max_age_ms: 1_000,
      max_age_ms: 1_000,
      max_concurrent: 10,
    },
    webhook_secret: { ...sealed, data: 'webhook' },
    webhook_secret_hash: 'hash',
    signing_secret: sealed,
    created_at: at,
    ...change,
  };
  const terms: CampaignBuyerDoc = {
    _id: `c:${id}`,
    org_id: 'o',
    campaign_id: 'c',
    buyer_id: id,
    status: 'active',
    price: 1_000_000,
    priority: 1,
    weight: 1,
    states: ['CA'],
    zips: null,
    filters: null,
    schedule: null,
    when_closed: 'SKIP',
    caps: {},
    when_unavailable: 'NEXT',
    ...link,
  };
  return { link: terms, buyer };
}

function linkedSupplier(
  change: Partial<SupplierDoc> = {},
  terms: Partial<CampaignSupplierDoc> = {},
) {
  const supplier: SupplierDoc = {
    _id: 's',
    org_id: 'o',
    name: 'Supplier',
    status: 'active',
    test_mode: true,
    rate_limit: { per_second: 1, burst_per_second: 2, burst_seconds: 3 },
    api_key: sealed,
    created_at: at,
    ...change,
  };
  const link: CampaignSupplierDoc = {
    _id: 'c:s',
    org_id: 'o',
    campaign_id: 'c',
    supplier_id: 's',
    status: 'active',
    cost_mode: 'FIXED',
    cost_per_lead: 2_000_000,
    revenue_share: 0,
    caps: {},
    ...terms,
  };
  return { link, supplier };
}

const account = (change: Partial<CampaignAccount> = {}): CampaignAccount => ({
  org: { _id: 'o', name: 'Org', time_zone: 'America/New_York', currency: 'USD', created_at: at },
  campaign,
  buyers: [linkedBuyer('b')],
  suppliers: [linkedSupplier()],
  ...change,
});

describe('compilePlan', () => {
  it('names the plan by campaign and version, in the time zone of the account', () => {
    expect(compilePlan(account(), 4)).toMatchObject({
      _id: 'c:4',
      campaign_id: 'c',
      org_id: 'o',
      version: 4,
      time_zone: 'America/New_York',
      caps: { daily_cap: 5 },
    });
  });

  it('is the same whatever the order the account was read in', () => {
    const [a, b] = [linkedBuyer('a'), linkedBuyer('b')];
    expect(compilePlan(account({ buyers: [a, b] }), 1)).toEqual(
      compilePlan(account({ buyers: [b, a] }), 1),
    );
  });

  it('takes the terms of a buyer from its link and its way of delivery from the buyer', () => {
    const [terms] = compilePlan(account(), 1).buyers;
    expect(terms).toMatchObject({ price: 1_000_000, priority: 1, states: ['CA'] });
    expect(terms).toMatchObject({
      delivery: { url: 'https://buyer.example' },
      signing_secret: sealed,
    });
    expect(JSON.stringify(terms)).not.toContain('webhook_secret');
  });

  it.each([
    ['the buyer', linkedBuyer('b', { status: 'paused' })],
    ['the link', linkedBuyer('b', {}, { status: 'paused' })],
  ])('pauses a buyer when %s is paused', (_who, linked) => {
    expect(compilePlan(account({ buyers: [linked] }), 1).buyers[0]?.status).toBe('paused');
  });

  it.each([
    ['the supplier', linkedSupplier({ status: 'paused' })],
    ['the link', linkedSupplier({}, { status: 'paused' })],
  ])('pauses a supplier when %s is paused', (_who, linked) => {
    expect(compilePlan(account({ suppliers: [linked] }), 1).suppliers.s?.status).toBe('paused');
  });

  it('keeps suppliers by id, in test mode when the supplier is', () => {
    expect(compilePlan(account(), 1).suppliers).toEqual({
      s: {
        supplier_id: 's',
        name: 'Supplier',
        link_status: 'active',
        status: 'active',
        test_mode: true,
        cost_mode: 'FIXED',
        cost_per_lead: 2_000_000,
        revenue_share: 0,
        caps: {},
      },
    });
  });

  it('puts custom fields after the system fields', () => {
    const roof = {
      name: 'roof_age',
      type: 'Number',
      required: false,
      ping_required: false,
    } as const;
    const { fields } = compilePlan(account({ campaign: { ...campaign, fields: [roof] } }), 1);
    expect(fields.map((field) => field.name)).toEqual([
      'first_name',
      'last_name',
      'email',
      'phone',
      'state',
      'zip_code',
      'source',
      'roof_age',
    ]);
  });

  it('lets a campaign require a system field, and never make a required one optional', () => {
    const rule = (name: string, required: boolean) =>
      ({ name, type: 'String', required, ping_required: false }) as const;
    const changed = { ...campaign, fields: [rule('source', true), rule('first_name', false)] };
    const { fields } = compilePlan(account({ campaign: changed }), 1);
    const required = new Map(fields.map((field) => [field.name, field.required]));
    expect(required.get('source')).toBe(true);
    expect(required.get('first_name')).toBe(true);
  });
});
