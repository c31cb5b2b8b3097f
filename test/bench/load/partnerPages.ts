/** The calls that each page of the portals makes when it is opened. */

/** A call of a partner: its name and its input. */
export type PageCall = readonly [call: string, input: Record<string, unknown>];

export interface PartnerPage {
  name: string;
  /** All of them are sent at once, as in a browser. */
  calls: readonly PageCall[];
}

/** Ids of the partner's own records that its pages name. */
export interface OwnIds {
  campaignId: string;
  leadId: string;
}

const DAY_MS = 86_400_000;
/** A calendar day in UTC, that many days ago. */
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const days = (count: number) => ({ from: day(count - 1), to: day(0) });

export const buyerPages = ({ leadId }: OwnIds): readonly PartnerPage[] => [
  {
    name: 'buyer overview',
    calls: [
      ['get_usage', {}],
      ['get_daily_rates', days(30)],
    ],
  },
  { name: 'buyer leads', calls: [['list_sales', {}]] },
  { name: 'buyer lead', calls: [['get_sale', { lead_id: leadId }]] },
  {
    name: 'buyer returns',
    calls: [
      ['list_returns', {}],
      ['get_return_allowance', {}],
    ],
  },
  {
    name: 'buyer endpoint',
    calls: [
      ['get_endpoint', {}],
      ['list_attempts', {}],
    ],
  },
  {
    name: 'buyer terms',
    calls: [
      ['get_terms', {}],
      ['list_changes', {}],
    ],
  },
  { name: 'buyer team', calls: [['list_team', {}]] },
];

export const supplierPages = ({ campaignId, leadId }: OwnIds): readonly PartnerPage[] => [
  {
    name: 'supplier overview',
    calls: [
      ['get_payout', days(1)],
      ['get_payout', days(7)],
      ['get_caps_left', {}],
      ['get_ping_stats', days(7)],
    ],
  },
  {
    name: 'supplier guide',
    calls: [
      ['list_campaigns', {}],
      ['get_posting_guide', { campaign_id: campaignId }],
    ],
  },
  { name: 'supplier posts', calls: [['list_posts', {}]] },
  { name: 'supplier post', calls: [['get_post', { post_id: leadId }]] },
  { name: 'supplier payout', calls: [['get_payout', days(30)]] },
  { name: 'supplier caps', calls: [['get_caps_left', {}]] },
  { name: 'supplier keys', calls: [['list_keys', {}]] },
  { name: 'supplier webhook', calls: [['get_webhook', {}]] },
];
