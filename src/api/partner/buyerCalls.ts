/** Every call of the buyer's portal, and its files. */
import { listAttempts, resendDelivery } from './buyer/attempts.js';
import { listChanges, requestChange, withdrawChange } from './buyer/changes.js';
import { getEndpoint, rotateSecret, updateEndpoint } from './buyer/endpoint.js';
import { BUYER_LISTS } from './buyer/files.js';
import { importOutcomes } from './buyer/importOutcomes.js';
import { recordOutcome } from './buyer/outcomes.js';
import { pauseBuyer, resumeBuyer } from './buyer/pause.js';
import { getPostbackGuide, tryPostback } from './buyer/postbacks.js';
import { getDailyRates } from './buyer/rates.js';
import { getReturnAllowance, listReturns, requestReturn } from './buyer/returns.js';
import { getSale, listSales } from './buyer/sales.js';
import { getTerms } from './buyer/terms.js';
import { sendTestLead } from './buyer/testLead.js';
import { getUsage } from './buyer/usage.js';
import type { PartnerCall, PartnerFile } from './call.js';

export const BUYER_CALLS: readonly PartnerCall[] = [
  listSales,
  getSale,
  recordOutcome,
  importOutcomes,
  listReturns,
  requestReturn,
  getReturnAllowance,
  getUsage,
  getDailyRates,
  getEndpoint,
  updateEndpoint,
  sendTestLead,
  listAttempts,
  resendDelivery,
  rotateSecret,
  getPostbackGuide,
  tryPostback,
  getTerms,
  pauseBuyer,
  resumeBuyer,
  requestChange,
  listChanges,
  withdrawChange,
];
export const BUYER_FILES: readonly PartnerFile[] = BUYER_LISTS;
