/** Names and terms of the demo account. */

/** Constant, so that the demo account is found again in any database. */
export const DEMO_ORG_ID = 'de300000-0000-4000-8000-000000000001';
export const DEMO_ZONE = 'America/New_York';

export const DEMO_CAMPAIGNS = {
  direct: 'Demo: direct post',
  pingPost: 'Demo: ping post',
  oneBuyer: 'Demo: one buyer',
} as const;
export type DemoCampaignKey = keyof typeof DEMO_CAMPAIGNS;

/** A campaign whose only buyer has a daily cap that the leads of a day fill. */
export const DEMO_CAPPED = 'Demo: full cap';

/** Its address is made of it. */
export const DEMO_FUNNEL = 'Demo: funnel';

export const DEMO_SUPPLIERS = { web: 'Bright Web Leads', partner: 'Partner Network' } as const;
export type DemoSupplierKey = keyof typeof DEMO_SUPPLIERS;

export const DEMO_BUYER_NAMES = {
  premier: 'Premier Homes',
  steady: 'Steady & Sons',
  open: 'Open Market',
} as const;
