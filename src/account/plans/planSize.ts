/** How big a plan may grow. */
import { AppError } from '../../lib/errors.js';
import { storedBytes } from '../store/planPacking.js';
import type { AccountCollections } from '../store/collections.js';
import { compilePlan, type CampaignAccount } from './compilePlan.js';
import { loadCampaign } from '../campaigns/loadCampaign.js';
import { invalidValue } from '../values.js';

/** MongoDB's limit is 16 MiB. The rest is left for names, statuses, prices and limits, which are never refused. */
export const PLAN_BYTES_MAX = 12 * 1_048_576;

/**
 * Checks before a change is stored whether the campaign can still be published with it. A plan that is too big already
 * may become smaller, or stay as big as it is.
 * @param field the changed field
 * @param change returns the account with the change
 * @throws {AppError} `validation_failed`; nothing is stored
 */
export async function requirePlanFits(
  collections: AccountCollections,
  campaignId: string,
  field: string,
  change: (account: CampaignAccount) => CampaignAccount,
): Promise<void> {
  const account = await loadCampaign(collections, campaignId);
  requireChangeFits(field, account, change(account));
}

/**
 * The same for a campaign that was read.
 * @throws {AppError} `validation_failed`
 */
export function requireChangeFits(
  field: string,
  now: CampaignAccount,
  changed: CampaignAccount,
): void {
  const bytes = excess(now, changed);
  if (bytes === null) return;
  const most = `A campaign with the terms of all its buyers may be at most ${mebibytes(PLAN_BYTES_MAX)} MiB`;
  const advice =
    'Use fewer zip codes or a radius, shorter filters or templates, or another campaign for some of the buyers';
  throw invalidValue(
    field,
    'too_long',
    `${most}; with this ${field} it would be ${mebibytes(bytes)}. ${advice}. Nothing was changed.`,
  );
}

/**
 * The same for a campaign that reverts to a version: what buyers and lists add to it may have grown since.
 * @throws {AppError} `action_refused`
 */
export function requireVersionFits(
  version: number,
  now: CampaignAccount,
  then: CampaignAccount,
): void {
  const bytes = excess(now, then);
  if (bytes === null) return;
  const sizes =
    `With version ${version} the campaign would be ${mebibytes(bytes)} MiB; the maximum is ` +
    mebibytes(PLAN_BYTES_MAX);
  const advice = 'Make the deliveries of its buyers shorter, or change the campaign by hand';
  throw new AppError('action_refused', `${sizes}. ${advice}. Nothing was changed.`);
}

/** Bytes of the changed campaign; null where that size is allowed. */
function excess(now: CampaignAccount, changed: CampaignAccount): number | null {
  const bytes = bytesOf(changed);
  return bytes <= PLAN_BYTES_MAX || bytes <= bytesOf(now) ? null : bytes;
}

const bytesOf = (account: CampaignAccount): number => storedBytes(compilePlan(account, 1));
const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
