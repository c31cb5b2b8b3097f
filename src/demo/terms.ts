/** The terms of the demo account's campaigns and links. */
import type { BuyerLinkInput } from '../account/buyerLinks.js';
import type { CampaignInput } from '../account/campaigns.js';
import type { SupplierLinkInput } from '../account/supplierLinks.js';
import { PREMIER_STATES } from './buyerRules.js';
import type { DemoBuyerName } from './buyerRules.js';
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
      reason: 'This campaign takes no incentivised or recycled leads.',
    },
  ],
};

export const CAMPAIGNS: Record<DemoCampaignKey, Omit<CampaignInput, 'name'>> = {
  direct: { status: 'ACTIVE', filters },
  pingPost: { status: 'ACTIVE', routing_method: 'PING_POST', filters },
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
      states: PREMIER_STATES,
      caps: { daily_cap: 10_000 },
    },
    steady: {
      price: 27,
      priority: 2,
      states: STEADY_STATES,
      caps: { daily_cap: 20_000, monthly_cap: 500_000 },
    },
    open: { price: 8.25, priority: 3 },
  },
  pingPost: {
    premier: { price: 55, priority: 1, states: PREMIER_STATES },
    steady: { price: 38, priority: 2, states: STEADY_STATES },
    open: { price: 12, priority: 3 },
  },
  oneBuyer: { steady: { price: 31, priority: 1, states: STEADY_STATES } },
};

export const SUPPLIER_LINKS: Record<DemoSupplierKey, SupplierLinkInput> = {
  web: { cost_mode: 'FIXED', cost_per_lead: 4 },
  partner: { cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
};
