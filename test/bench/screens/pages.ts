/** The calls that each screen of the console makes when it is opened, with the inputs that the screens send. */
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { dayAfter } from '../../../src/fields/days.js';

/** An action, and its input. */
export type ScreenCall = readonly [action: string, input: Record<string, unknown>];

export interface Screen {
  name: string;
  /** All of them are sent at once, as in a browser. */
  calls: readonly ScreenCall[];
}

/** Records of the organization that the screens show. */
export interface Shown {
  timeZone: string;
  /** Has every buyer and supplier. */
  campaignId: string;
  buyerId: string;
  buyerName: string;
  supplierId: string;
  supplierName: string;
  leadId: string;
  phone: string;
  lastName: string;
  pingId: string;
  /** Where page 20 of the leads begins. */
  cursor: string;
}

const LINES = { limit: 50 };

export function screensOf(shown: Shown): readonly Screen[] {
  const today = windowKeys(new Date(), shown.timeZone).day;
  const span = (days: number) => ({ date_from: dayAfter(today, 1 - days), date_to: today });
  return [
    { name: 'Today', calls: [['get_today', {}]] },
    ...leadScreens(shown, span),
    ...campaignScreens(shown, span),
    ...partyScreens(shown),
    ...workScreens(shown),
    ...reportScreens(span),
    ...adminScreens(),
  ];
}

type Span = (days: number) => { date_from: string; date_to: string };

function leadScreens(shown: Shown, span: Span): Screen[] {
  const { leadId: lead_id, campaignId: campaign_id, buyerId: buyer_id } = shown;
  const views: ScreenCall = ['get_saved_views', { screen: 'leads' }];
  const list = (name: string, input: Record<string, unknown>): Screen => ({
    name: `Leads, ${name}`,
    calls: [['get_leads', { ...LINES, ...input }], views],
  });
  return [
    list('first page', {}),
    list('page 20', { cursor: shown.cursor }),
    list('of a status', { status: 'UNMATCHED' }),
    list('three filters', { status: 'ACCEPTED', campaign_id, buyer_id }),
    list('five filters', {
      ...span(30),
      status: 'ACCEPTED',
      outcome: 'converted',
      campaign_id,
      buyer_id,
      supplier_id: shown.supplierId,
    }),
    list('of a day a month ago', { date_from: span(30).date_from, date_to: span(30).date_from }),
    list('search by phone', { search: shown.phone }),
    list('search by name', { search: shown.lastName }),
    {
      name: 'Leads, side panel',
      calls: [
        ['get_lead', { lead_id }],
        ['explain_lead', { lead_id }],
      ],
    },
    {
      name: 'Lead',
      calls: [
        ['get_lead', { lead_id, include_related: true }],
        ['explain_lead', { lead_id }],
      ],
    },
    { name: 'Lead, attempts', calls: [['list_deliveries', { lead_id, ...LINES }]] },
    { name: 'Palette, phone', calls: [['search', { query: shown.phone, max_results: 5 }]] },
    { name: 'Palette, name', calls: [['search', { query: shown.lastName, max_results: 5 }]] },
    { name: 'Palette, part of a name', calls: [['search', { query: 'buyer 7', max_results: 5 }]] },
  ];
}

function campaignScreens({ campaignId: campaign_id }: Shown, span: Span): Screen[] {
  const campaign: ScreenCall = ['get_campaign', { campaign_id }];
  const newest: ScreenCall = ['get_plan_history', { campaign_id, limit: 1 }];
  const uses: ScreenCall = ['get_cap_usage', { campaign_id, limit: 500 }];
  return [
    {
      name: 'Campaigns',
      calls: [['list_campaigns', { figures: true, include_archived: false, ...LINES }]],
    },
    {
      name: 'Campaign, overview',
      calls: [campaign, ['get_flow', { campaign_id, ...span(1), compare: true }]],
    },
    {
      name: 'Campaign, overview of 30 days',
      calls: [campaign, ['get_flow', { campaign_id, ...span(30), compare: true }]],
    },
    {
      name: 'Campaign, acceptance',
      calls: [
        campaign,
        ['get_lead_stats', { campaign_id, ...span(30) }],
        ['get_plan_history', { campaign_id, limit: 20 }],
      ],
    },
    {
      name: 'Campaign, 100 buyers',
      calls: [
        campaign,
        newest,
        uses,
        ['list_buyer_health', { waiting: true, figures: false, limit: 500 }],
      ],
    },
    { name: 'Campaign, 30 suppliers', calls: [campaign, newest, uses] },
    {
      name: 'Campaign, versions',
      calls: [campaign, ['get_plan_history', { campaign_id, limit: 20 }]],
    },
    {
      name: 'Campaign, posting guide',
      calls: [
        campaign,
        ['get_campaign_api_spec', { campaign_id }],
        ['get_campaign_api_spec', { campaign_id, format: 'markdown' }],
      ],
    },
  ];
}

function partyScreens(shown: Shown): Screen[] {
  const { buyerId: buyer_id, supplierId: supplier_id } = shown;
  const buyer: ScreenCall = ['get_buyer', { buyer_id }];
  const supplier: ScreenCall = ['get_supplier', { supplier_id }];
  const health: ScreenCall = ['get_buyer_health', { buyer_id }];
  const list = { figures: true, ...LINES };
  return [
    { name: 'Buyers', calls: [['list_buyers', list]] },
    {
      name: 'Buyer',
      calls: [
        buyer,
        health,
        ['get_lead_stats', { buyer_id }],
        ['get_cap_usage', { limit: 200, buyer_id }],
        ['list_deliveries', { buyer_id, state: 'done', limit: 10 }],
      ],
    },
    {
      name: 'Buyer, deliveries',
      calls: [buyer, health, ['list_deliveries', { buyer_id, ...LINES }]],
    },
    { name: 'Buyer, leads', calls: [buyer, ['get_leads', { buyer_id, ...LINES }]] },
    {
      name: 'Buyer, portal',
      calls: [buyer, ['get_portal_settings', { buyer_id }], ['get_portal_members', { buyer_id }]],
    },
    { name: 'Suppliers', calls: [['list_suppliers', list]] },
    {
      name: 'Supplier',
      calls: [
        supplier,
        ['list_suppliers', { search: shown.supplierName, ...list }],
        ['get_lead_stats', { supplier_id }],
        ['get_cap_usage', { limit: 200, supplier_id }],
      ],
    },
    { name: 'Supplier, leads', calls: [supplier, ['get_leads', { supplier_id, ...LINES }]] },
  ];
}

function workScreens(shown: Shown): Screen[] {
  const heads = { waiting: true, figures: false, limit: 100 };
  return [
    {
      name: 'Queues',
      calls: [
        ['list_buyer_health', heads],
        ['list_deliveries', LINES],
      ],
    },
    { name: 'Queues, unknown', calls: [['list_deliveries', { state: 'unknown', ...LINES }]] },
    { name: 'Returns', calls: [['list_returns', { state: 'requested', ...LINES }]] },
    {
      name: 'Returns of a buyer',
      calls: [['list_returns', { state: 'rejected', buyer_id: shown.buyerId, ...LINES }]],
    },
    { name: 'Pings', calls: [['list_pings', { is_test: false, ...LINES }]] },
    {
      name: 'Pings, refused, of a supplier',
      calls: [
        [
          'list_pings',
          { status: 'refused', supplier_id: shown.supplierId, is_test: false, ...LINES },
        ],
      ],
    },
    { name: 'Ping', calls: [['get_ping', { ping_id: shown.pingId }]] },
    { name: 'Funnels', calls: [['list_funnels', { stats: true, limit: 20 }]] },
    { name: 'Requests', calls: [['list_change_requests', { state: 'pending', ...LINES }]] },
  ];
}

function reportScreens(span: Span): Screen[] {
  const report = (name: string, input: Record<string, unknown>): Screen => ({
    name: `Reports, ${name}`,
    calls: [['get_lead_breakdown', input]],
  });
  return [
    report('30 days by day', { ...span(30), group_by: 'day' }),
    report('30 days by buyer and day', { ...span(30), group_by: 'buyer', then_by: 'day' }),
    report('90 days by supplier and buyer', {
      ...span(90),
      group_by: 'supplier',
      then_by: 'buyer',
    }),
    report('90 days by campaign and day', { ...span(90), group_by: 'campaign', then_by: 'day' }),
    report('30 days compared', {
      ...span(30),
      group_by: 'campaign',
      compare: 'previous_period',
    }),
    report('30 days by hour', { ...span(30), group_by: 'hour' }),
  ];
}

const adminScreens = (): Screen[] => [
  { name: 'Members', calls: [['list_members', {}]] },
  { name: 'Keys', calls: [['list_api_keys', LINES]] },
  {
    name: 'Audit',
    calls: [
      ['list_audit', LINES],
      ['list_members', {}],
      ['list_api_keys', LINES],
    ],
  },
  { name: 'System', calls: [['get_system', {}]] },
];
