/** An input for each call of both portals that its own partner may make. A call without one fails the tests. */
import type { PartnerBed } from './partnerBed.js';

type Inputs = Record<string, (bed: PartnerBed) => object>;

const nothing = () => ({});

export const BUYER_INPUTS: Inputs = {
  list_sales: nothing,
  get_sale: ({ leadId }) => ({ lead_id: leadId }),
  list_attempts: nothing,
  get_usage: nothing,
  get_daily_rates: nothing,
  get_endpoint: nothing,
  get_terms: nothing,
  get_postback_guide: nothing,
  get_return_allowance: nothing,
  list_changes: nothing,
  list_team: nothing,
  record_outcome: ({ leadId }) => ({ lead_id: leadId, outcome: 'converted' }),
  import_outcomes: ({ leadId }) => ({ csv: `lead_id,outcome\n${leadId},pending\n` }),
  try_postback: ({ leadId }) => ({ body: { lead_id: leadId, outcome: 'pending' }, apply: true }),
  send_test_lead: ({ ids }) => ({ campaign_id: ids.campaign }),
  request_return: ({ leadId }) => ({ lead_id: leadId, reason: 'other' }),
  list_returns: nothing,
  resend_delivery: ({ leadId }) => ({ lead_id: leadId }),
  request_change: ({ ids }) => ({ campaign_id: ids.campaign, price: 60 }),
  withdraw_change: () => ({ change_id: 'chg_000000000000000000000000' }),
  update_endpoint: () => ({ url: 'https://buyer.example/leads?key=1' }),
  rotate_secret: () => ({ secret: 'webhook' }),
  pause: nothing,
  resume: nothing,
};

export const SUPPLIER_INPUTS: Inputs = {
  list_campaigns: nothing,
  get_posting_guide: ({ ids }) => ({ campaign_id: ids.campaign }),
  list_posts: nothing,
  get_post: ({ leadId }) => ({ post_id: leadId }),
  get_payout: nothing,
  get_ping_stats: nothing,
  get_caps_left: nothing,
  list_keys: nothing,
  get_webhook: nothing,
  list_team: nothing,
  send_test_post: ({ ids }) => ({ campaign_id: ids.campaign }),
  send_test_ping: ({ ids }) => ({ campaign_id: ids.campaign }),
  create_key: () => ({ name: 'Second' }),
  rotate_key: () => ({ key_id: 'none' }),
  revoke_key: () => ({ key_id: 'none' }),
  set_webhook: () => ({ url: 'https://supplier.example/leads' }),
  rotate_webhook_secret: nothing,
  test_webhook: nothing,
  remove_webhook: nothing,
  pause: nothing,
  resume: nothing,
};

/** Calls of both sides. */
export const TEAM_INPUTS: Inputs = {
  list_team: nothing,
  invite_team_member: () => ({ email: 'new.member@example.com' }),
  update_team_member: () => ({ member_id: 'mem_000000000000000000000000', role: 'viewer' }),
  remove_team_member: () => ({ member_id: 'mem_000000000000000000000000' }),
};
