/** Every call of the supplier's portal, and its files. */
import type { PartnerCall, PartnerFile } from './call.js';
import { getPostingGuide, listCampaigns } from './supplier/campaigns.js';
import { getCapsLeft } from './supplier/caps.js';
import { createKey, listKeys, revokeKey, rotateKey } from './supplier/keys.js';
import { pauseSupplier, resumeSupplier } from './supplier/pause.js';
import { getPayout, payoutFile } from './supplier/payout.js';
import { getPingStats } from './supplier/pingStats.js';
import { getPost, listPosts } from './supplier/posts.js';
import { postsFile } from './supplier/postsFile.js';
import { sendTestPing, sendTestPost } from './supplier/testPosts.js';
import {
  getWebhook,
  removeWebhook,
  rotateWebhookSecret,
  setWebhook,
  testWebhook,
} from './supplier/webhook.js';

export const SUPPLIER_CALLS: readonly PartnerCall[] = [
  listCampaigns,
  getPostingGuide,
  sendTestPost,
  sendTestPing,
  listPosts,
  getPost,
  getPayout,
  getPingStats,
  getCapsLeft,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  pauseSupplier,
  resumeSupplier,
  getWebhook,
  setWebhook,
  rotateWebhookSecret,
  testWebhook,
  removeWebhook,
];
export const SUPPLIER_FILES: readonly PartnerFile[] = [payoutFile, postsFile];
