/** When a buyer may return a lead that it bought. Dates and limits are parameters; nothing is read here. */
import type { ReturnSettings } from '../../account/buyers/returnsSchema.js';
import type { Sale } from '../../leads/rules/lead.js';

export const RETURN_REASONS = [
  'bad_contact_info',
  'wrong_vertical',
  'duplicate',
  'tcpa_risk',
  'out_of_service_area',
  'other',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** requested: undecided. Only one return of a lead and buyer is requested or accepted; more may be rejected. */
export type ReturnState = 'requested' | 'accepted' | 'rejected';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Why this sale cannot be returned now, in words; null when it can, if there is room. */
export function findReturnRefusal(
  settings: Pick<ReturnSettings, 'allowed' | 'max_age_days'>,
  sale: Pick<Sale, 'at' | 'returned'>,
  now: Date,
): string | null {
  if (sale.returned) return 'The lead was returned already.';
  if (!settings.allowed)
    return 'This buyer may not return leads; allow it with set_buyer_returns, "allowed": true.';
  const most = settings.max_age_days;
  const ageMs = Number(now) - Number(sale.at);
  if (most === null || ageMs <= most * DAY_MS) return null;
  const days = Math.floor(ageMs / DAY_MS);
  return `It was sold ${days} days ago, and this buyer may return a lead for ${most} (max_age_days).`;
}

/** Maximum returns of a month, and the setting that limits them; null: no limit. */
export interface ReturnQuota {
  most: number;
  by: 'max_per_month' | 'max_share_pct';
}

/** @param sold leads of the month that the buyer has bought so far; it only grows, and so does the room */
export function computeReturnQuota(
  { max_per_month, max_share_pct }: Pick<ReturnSettings, 'max_per_month' | 'max_share_pct'>,
  sold: number,
): ReturnQuota | null {
  const byCount = { most: max_per_month ?? Infinity, by: 'max_per_month' as const };
  const byShare = {
    most: max_share_pct === null ? Infinity : shareOf(sold, max_share_pct),
    by: 'max_share_pct' as const,
  };
  const least = byShare.most < byCount.most ? byShare : byCount;
  return least.most === Infinity ? null : least;
}

/** Whole leads: a share that does not reach a whole lead gives none. Exact for two decimals. */
const shareOf = (sold: number, percent: number): number =>
  Math.floor((sold * Math.round(percent * 100)) / 10_000);

/** Why there is no room, in words. */
export function quotaReached(
  { most, by }: ReturnQuota,
  { max_share_pct }: Pick<ReturnSettings, 'max_share_pct'>,
  month: string,
  sold: number,
): string {
  if (by === 'max_per_month')
    return `This buyer may return ${most} of the leads of ${month} (max_per_month), and has reached that.`;
  const share = `${String(max_share_pct)} % of the ${sold} leads of ${month} that it bought`;
  return `This buyer may return ${share}, ${most} (max_share_pct), and has reached that.`;
}

/** When a request is accepted automatically; undefined: never. */
export const autoAcceptAt = (
  { auto_accept_hours: hours }: Pick<ReturnSettings, 'auto_accept_hours'>,
  requestedAt: Date,
): Date | undefined =>
  hours === null ? undefined : new Date(Number(requestedAt) + hours * HOUR_MS);
