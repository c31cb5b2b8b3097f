import type { CommonDelivery, DeliverySettings } from '../../src/account/rules/deliverySettings.js';
import type { Fields } from '../../src/fields/values.js';
import type { DeliveredLead } from '../../src/deliveries/rules/payload.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../src/account/rules/plan.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';

export const aField = (overrides: Partial<FieldRule> = {}): FieldRule => ({
  name: 'case_type',
  type: 'String',
  required: false,
  ping_required: false,
  ...overrides,
});

export const aBody = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  flo_campaign_id: 'c1',
  flo_supplier_id: 's1',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '5551234567',
  ...overrides,
});

export const someFields = (overrides: Fields = {}): Fields => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15551234567',
  state: 'TX',
  ...overrides,
});

export const commonDelivery: CommonDelivery = {
  timeout_ms: 5_000,
  honours_idempotency_key: false,
  on_unknown: 'hold',
  hold_max_age_ms: 3_600_000,
  max_age_ms: 3_600_000,
  max_concurrent: 4,
};

export const aWebhook = (
  overrides: Partial<DeliverySettings<'WEBHOOK'>> = {},
): DeliverySettings<'WEBHOOK'> => ({
  ...commonDelivery,
  method: 'WEBHOOK',
  url: 'https://buyer.example/leads',
  headers: {},
  ...overrides,
});

/** The part of a lead that a buyer receives. */
export const aLead = (overrides: Partial<DeliveredLead> = {}): DeliveredLead => ({
  _id: 'l1',
  campaign_id: 'c1',
  fields: someFields(),
  extra: { utm: 'x' },
  is_test: false,
  created_at: new Date('2026-11-21T12:00:00Z'),
  ...overrides,
});

export const aBuyer = (overrides: Partial<BuyerTerms> = {}): BuyerTerms => ({
  buyer_id: 'b1',
  name: 'Buyer 1',
  status: 'active',
  test_mode: false,
  price: 25_000_000,
  priority: null,
  weight: 1,
  states: [],
  zips: null,
  filters: null,
  schedule: null,
  when_closed: 'SKIP',
  caps: {},
  when_unavailable: 'NEXT',
  delivery: aWebhook(),
  signing_secret: { key_id: 'k1', iv: '', tag: '', data: '' },
  ...overrides,
});

export const aSupplier = (overrides: Partial<SupplierTerms> = {}): SupplierTerms => ({
  supplier_id: 's1',
  status: 'active',
  test_mode: false,
  cost_mode: 'FIXED',
  cost_per_lead: 0,
  revenue_share: 0,
  caps: {},
  ...overrides,
});

export const aPlan = (overrides: Partial<Plan> = {}): Plan => ({
  _id: 'c1:1',
  org_id: 'o1',
  campaign_id: 'c1',
  version: 1,
  name: 'Campaign 1',
  status: 'ACTIVE',
  routing_method: 'DIRECT_POST',
  distribution_method: 'WATERFALL',
  time_zone: 'America/New_York',
  answer_within_ms: 2_000,
  max_sells: 1,
  caps: {},
  fields: SYSTEM_FIELDS,
  filters: null,
  dedupe: { window_days: 30, fields: ['phone', 'email'], match: 'ANY', on_duplicate: 'REJECT' },
  buyers: [],
  suppliers: {},
  ...overrides,
});
