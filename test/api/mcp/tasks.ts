/**
 * Ten tasks in an operator's words, each with the calls that a reader of the list of tools makes: the inputs were written with
 * nothing but the text of `tools/list` at hand. Only the last needs `describe_action`, because the list shows some settings of
 * `dedupe` as an example and says that there may be more.
 */
export interface Ids {
  campaign_id: string;
  buyer_id: string;
  supplier_id: string;
}

interface Task {
  said: string;
  calls: (ids: Ids) => [tool: string, input: object][];
  /** What the last answer shows. */
  shows: object;
}

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri'];

export const TASKS: readonly Task[] = [
  {
    said: 'Take only leads from California and Texas, for cars of 2010 or newer.',
    calls: ({ campaign_id }) => {
      const states = { field: 'state', operator: 'IN', value: ['CA', 'TX'] };
      const age = { field: 'vehicle_year', operator: '>=', value: 2010 };
      return [['update_inbound_filters', { campaign_id, filters: { all: [states, age] } }]];
    },
    shows: { filters: { all: [{ field: 'state' }, { field: 'vehicle_year' }] } },
  },
  {
    said: 'Acme buys on weekdays from 9 to 5, 100 leads a day but 40 on Mondays, for at most $500 a week.',
    calls: ({ campaign_id, buyer_id }) => [
      [
        'update_campaign_buyer',
        {
          campaign_id,
          buyer_id,
          daily_cap: 100,
          daily_caps: { mon: 40 },
          weekly_budget: 500,
          schedule: { days: WEEK, from: '09:00', to: '17:00' },
        },
      ],
    ],
    shows: {
      daily_cap: 100,
      daily_caps: { mon: 40 },
      weekly_budget: 500,
      schedule: [{ days: WEEK }],
    },
  },
  {
    said: 'Pay the supplier 60 percent of what the buyer pays.',
    calls: ({ campaign_id, supplier_id }) => [
      [
        'set_supplier_cost_mode',
        { campaign_id, supplier_id, cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
      ],
    ],
    shows: { cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
  },
  {
    said: 'Acme wants its leads as a form, with its key in X-Api-Key, and answers with status ok when it takes one.',
    calls: ({ buyer_id }) => [
      [
        'set_buyer_delivery',
        {
          buyer_id,
          method: 'WEBHOOK',
          url: 'https://acme.example/leads',
          format: 'form',
          headers: { 'X-Api-Key': 'k-123' },
          response: { accept_when: { path: 'status', equals: 'ok' } },
        },
      ],
    ],
    shows: { delivery: { method: 'WEBHOOK', format: 'form', url: 'https://acme.example/leads' } },
  },
  {
    said: 'Post every lead from California that is sold to our CRM.',
    calls: () => [
      [
        'create_automation',
        {
          name: 'CRM',
          action: 'WEBHOOK',
          trigger: 'lead.accepted',
          target: { url: 'https://crm.example/hook' },
          conditions: { all: [{ field: 'state', operator: '==', value: 'CA' }] },
        },
      ],
    ],
    shows: { name: 'CRM', trigger: 'lead.accepted', status: 'active' },
  },
  {
    said: 'Never take leads of these two phone numbers again.',
    calls: () => [
      ['upload_suppressions', { name: 'Do not call', csv: 'phone\n+14155550134\n+14155550199' }],
    ],
    shows: { rows: 2, added: 2, bad: 0 },
  },
  {
    said: 'How many leads did each supplier bring in November, and what did we make of them?',
    calls: () => [
      [
        'get_lead_breakdown',
        { date_from: '2026-11-01', date_to: '2026-11-30', group_by: 'supplier' },
      ],
    ],
    shows: { breakdown: [] },
  },
  {
    said: 'Let suppliers ask for a price first; keep 15 percent, and bid nothing below $5.',
    calls: ({ campaign_id }) => [
      ['configure_ping_post', { campaign_id, margin: { percent: 15 }, min_bid: 5 }],
      ['update_campaign', { campaign_id, routing_method: 'PING_POST' }],
    ],
    shows: { routing_method: 'PING_POST', ping: { margin: { percent: 15 }, min_bid: 5 } },
  },
  {
    said: 'Acme may return a tenth of its leads, within two weeks, and what it returns is sold again.',
    calls: ({ buyer_id }) => [
      ['set_buyer_returns', { buyer_id, max_share_pct: 10, max_age_days: 14, resell: true }],
    ],
    shows: { returns: { max_share_pct: 10, max_age_days: 14, resell: true } },
  },
  {
    said: 'A phone counts as a repeat for 90 days, whatever the email, and goes to who had it first.',
    calls: ({ campaign_id }) => {
      const dedupe = { window_days: 90, fields: ['phone'], on_duplicate: 'ROUTE_TO_ORIGINAL' };
      return [
        ['describe_action', { name: 'update_campaign' }],
        ['update_campaign', { campaign_id, dedupe }],
      ];
    },
    shows: { dedupe: { window_days: 90, fields: ['phone'], on_duplicate: 'ROUTE_TO_ORIGINAL' } },
  },
];
