/** The terms of the demo account's campaigns and links. */
import type { BuyerLinkInput } from '../account/links/buyerLinks.js';
import type { CampaignInput } from '../account/campaigns/campaigns.js';
import type { SupplierLinkInput } from '../account/links/supplierLinks.js';
import { PREMIER_STATES, type DemoBuyerName } from './buyerRules.js';
import type { DemoCampaignKey, DemoSupplierKey } from './names.js';

/** A lead from this kind of source fails the inbound filter. */
export const BARRED_SOURCE = 'incentivised';

const filters: CampaignInput['filters'] = {
  all: [
    {
      id: 'no-incentivised-traffic',
      field: 'source',
      operator: 'NOT IN',
      value: [BARRED_SOURCE, 'recycled'],
      reason: 'This campaign does not accept incentivized or recycled leads.',
    },
  ],
};

export const CAMPAIGNS: Record<DemoCampaignKey, Omit<CampaignInput, 'name'>> = {
  direct: { status: 'ACTIVE', filters },
  pingPost: {
    status: 'ACTIVE',
    routing_method: 'PING_POST',
    filters,
    // Time enough for a machine that does much else.
    ping: { margin: { percent: 15 }, min_bid: 5, deadline_ms: 2_500 },
  },
  oneBuyer: { status: 'ACTIVE' },
};

const STEADY_STATES = ['CA', 'NY', 'FL', 'AZ'];

/** Premier pays best and is choosy, Steady is in between, Open takes all that is left. */
export const BUYER_LINKS: Record<
  DemoCampaignKey,
  Partial<Record<DemoBuyerName, BuyerLinkInput>>
> = {
  direct: {
    premier: {
      price: 42.5,
      priority: 1,
      states: [...PREMIER_STATES],
      daily_cap: 10_000,
    },
    steady: {
      price: 27,
      priority: 2,
      states: STEADY_STATES,
      daily_cap: 20_000,
      monthly_cap: 500_000,
    },
    open: { price: 8.25, priority: 3 },
  },
  pingPost: {
    premier: { price: 55, priority: 1, states: [...PREMIER_STATES] },
    steady: { price: 38, priority: 2, states: STEADY_STATES },
    open: { price: 12, priority: 3 },
  },
  oneBuyer: { steady: { price: 31, priority: 1, states: STEADY_STATES } },
};

const SHARE: SupplierLinkInput = { cost_mode: 'REVENUE_SHARE', revenue_share: 60 };
const DIRECT: Record<DemoSupplierKey, SupplierLinkInput> = {
  web: { cost_mode: 'FIXED', cost_per_lead: 4 },
  partner: SHARE,
};

/** What suppliers are paid; with NONE a ping-post lead costs what was bid: the price less the margin. */
export const SUPPLIER_LINKS: Record<DemoCampaignKey, Record<DemoSupplierKey, SupplierLinkInput>> = {
  direct: DIRECT,
  pingPost: { web: { cost_mode: 'NONE' }, partner: SHARE },
  oneBuyer: DIRECT,
};

/** Steady says itself what it pays, lead by lead. */
export const PINGED_BUYER: DemoBuyerName = 'steady';
export const PINGED_FIELDS: readonly string[] = ['state', 'zip_code'];
export const PING_TIMEOUT_MS = 2_000;
