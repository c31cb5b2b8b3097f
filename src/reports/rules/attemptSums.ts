/** Sums of attempts to deliver leads to a buyer. */
import type { DeliveryState } from '../../deliveries/store/deliveryDoc.js';

/** Whose attempts, and in which time zone; without a campaign those of all. */
export interface AttemptScope {
  org_id: string;
  buyer_id: string;
  time_zone: string;
  campaign_id?: string;
}

export interface AttemptSpan extends AttemptScope {
  /** First and last day, both included. */
  from: string;
  to: string;
}

/** Attempts by their result, or their present state. */
export interface AttemptSums {
  accepted: number;
  rejected: number;
  /** Sent and never answered, settled or not. */
  unanswered: number;
}

/** The same for one campaign. */
export interface CampaignAttempts extends AttemptSums {
  campaign_id: string;
}

export const NO_ATTEMPTS: AttemptSums = { accepted: 0, rejected: 0, unanswered: 0 };

/** An attempt in another state is not with the buyer, or may be in flight. */
const MEANINGS: Partial<Record<DeliveryState, keyof AttemptSums>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unanswered',
  abandoned: 'unanswered',
  expired: 'unanswered',
};

export const COUNTED_ATTEMPTS = Object.keys(MEANINGS) as DeliveryState[];

/** The sums with `count` more attempts in that state. */
export function withAttempts(sums: AttemptSums, state: DeliveryState, count: number): AttemptSums {
  const meaning = MEANINGS[state];
  return meaning === undefined ? sums : { ...sums, [meaning]: sums[meaning] + count };
}

export const totalAttempts = (list: readonly AttemptSums[]): AttemptSums =>
  list.reduce<AttemptSums>(
    (sum, one) => ({
      accepted: sum.accepted + one.accepted,
      rejected: sum.rejected + one.rejected,
      unanswered: sum.unanswered + one.unanswered,
    }),
    NO_ATTEMPTS,
  );
