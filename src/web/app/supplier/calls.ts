/** The supplier's calls, with their inputs and outputs. */
import type * as supplier from '../../../api/partner/schemas/supplier.js';
import { hooksFor, type Input, type Output } from '../lib/useCalls.js';

interface SupplierSchemas {
  list_campaigns: typeof supplier.ListCampaigns;
  get_posting_guide: typeof supplier.GetPostingGuide;
  send_test_post: typeof supplier.SendTestPost;
  send_test_ping: typeof supplier.SendTestPing;
  list_posts: typeof supplier.ListPosts;
  get_post: typeof supplier.GetPost;
  get_payout: typeof supplier.GetPayout;
  get_ping_stats: typeof supplier.GetPingStats;
  get_caps_left: typeof supplier.GetCapsLeft;
  list_keys: typeof supplier.ListKeys;
  create_key: typeof supplier.CreateKey;
  rotate_key: typeof supplier.RotateKey;
  revoke_key: typeof supplier.RevokeKey;
  pause: typeof supplier.PauseSupplier;
  resume: typeof supplier.ResumeSupplier;
  get_webhook: typeof supplier.GetWebhook;
  set_webhook: typeof supplier.SetWebhook;
  rotate_webhook_secret: typeof supplier.RotateWebhookSecret;
  test_webhook: typeof supplier.TestWebhook;
  remove_webhook: typeof supplier.RemoveWebhook;
}

export const { useCall, usePages, useWrite } = hooksFor<SupplierSchemas>();

export type InputOf<N extends keyof SupplierSchemas> = Input<SupplierSchemas[N]>;
export type OutputOf<N extends keyof SupplierSchemas> = Output<SupplierSchemas[N]>;
