/** How big a plan may grow. */
import { storedBytes } from '../store/planPacking.js';
import type { Collections } from '../store/collections.js';
import { compilePlan, type CampaignAccount } from './compilePlan.js';
import { loadCampaign } from './loadCampaign.js';
import { invalidValue } from './values.js';

/** MongoDB takes 16 MiB. What is left between is for names, statuses, prices and limits: those are never refused. */
export const PLAN_BYTES_MAX = 12 * 1_048_576;

/**
 * Looks before a change is stored whether the campaign can still be published with it. A plan that is too big already
 * may become smaller, or stay as big as it is.
 * @param field what is changed
 * @param change the account as the change makes it
 * @throws {AppError} `validation_failed`; nothing is stored
 */
export async function requirePlanFits(
  collections: Collections,
  campaignId: string,
  field: string,
  change: (account: CampaignAccount) => CampaignAccount,
): Promise<void> {
  const account = await loadCampaign(collections, campaignId);
  const bytes = bytesOf(change(account));
  if (bytes <= PLAN_BYTES_MAX || bytes <= bytesOf(account)) return;
  const most = `A campaign with the terms of all its buyers may take at most ${mebibytes(PLAN_BYTES_MAX)} MiB`;
  const advice =
    'Use fewer zip codes or a radius, shorter filters or templates, or another campaign for some of the buyers';
  throw invalidValue(
    field,
    'too_long',
    `${most}; with this ${field} it would take ${mebibytes(bytes)}. ${advice}. Nothing was changed.`,
  );
}

const bytesOf = (account: CampaignAccount): number => storedBytes(compilePlan(account, 1));
const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
