/** Every call and every file of the partners' portals. */
import type { Side } from '../../portal/settingsSchema.js';
import * as attempts from './buyer/attempts.js';
import * as changes from './buyer/changes.js';
import * as endpoint from './buyer/endpoint.js';
import { leadsFile, returnsFile } from './buyer/files.js';
import { importOutcomes } from './buyer/importOutcomes.js';
import { recordOutcome } from './buyer/outcomes.js';
import * as postbacks from './buyer/postbacks.js';
import { getDailyRates } from './buyer/rates.js';
import * as returns from './buyer/returns.js';
import * as sales from './buyer/sales.js';
import { getTerms } from './buyer/terms.js';
import { sendTestLead } from './buyer/testLead.js';
import { getUsage } from './buyer/usage.js';
import type { ByName, PartnerCall, PartnerFile } from './call.js';
import { pause, resume } from './pause.js';
import * as campaigns from './supplier/campaigns.js';
import { getCapsLeft } from './supplier/caps.js';
import * as keys from './supplier/keys.js';
import * as payout from './supplier/payout.js';
import { getPingStats } from './supplier/pingStats.js';
import * as posts from './supplier/posts.js';
import { postsFile } from './supplier/postsFile.js';
import * as tests from './supplier/testPosts.js';
import * as webhook from './supplier/webhook.js';
import { TEAM_CALLS } from './team.js';

/** The portal of each side. */
export const PORTALS = {
  buyer: {
    calls: [
      sales.listSales,
      sales.getSale,
      recordOutcome,
      importOutcomes,
      returns.listReturns,
      returns.requestReturn,
      returns.getReturnAllowance,
      getUsage,
      getDailyRates,
      endpoint.getEndpoint,
      endpoint.updateEndpoint,
      sendTestLead,
      attempts.listAttempts,
      attempts.resendDelivery,
      endpoint.rotateSecret,
      postbacks.getPostbackGuide,
      postbacks.tryPostback,
      getTerms,
      pause,
      resume,
      changes.requestChange,
      changes.listChanges,
      changes.withdrawChange,
      ...TEAM_CALLS,
    ],
    files: [leadsFile, returnsFile],
  },
  supplier: {
    calls: [
      campaigns.listCampaigns,
      campaigns.getPostingGuide,
      tests.sendTestPost,
      tests.sendTestPing,
      posts.listPosts,
      posts.getPost,
      payout.getPayout,
      getPingStats,
      getCapsLeft,
      keys.listKeys,
      keys.createKey,
      keys.rotateKey,
      keys.revokeKey,
      pause,
      resume,
      webhook.getWebhook,
      webhook.setWebhook,
      webhook.rotateWebhookSecret,
      webhook.testWebhook,
      webhook.removeWebhook,
      ...TEAM_CALLS,
    ],
    files: [payout.payoutFile, postsFile],
  },
} as const satisfies Record<Side, { calls: readonly PartnerCall[]; files: readonly PartnerFile[] }>;

/** The calls of a side's portal, as types for its screens. */
export type CallsOf<S extends Side> = ByName<(typeof PORTALS)[S]['calls'][number]>;
