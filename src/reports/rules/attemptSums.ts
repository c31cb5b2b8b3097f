/** Sums of attempts to deliver leads to a buyer. */
import type { DeliveryState } from '../../deliveries/store/deliveryDoc.js';

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

/** True when both have the same sums for the same campaigns, in any order. */
export const isSameAttempts = (
  a: readonly CampaignAttempts[],
  b: readonly CampaignAttempts[],
): boolean => keyOf(a) === keyOf(b);

const keyOf = (list: readonly CampaignAttempts[]): string =>
  list
    .map(({ campaign_id, accepted, rejected, unanswered }) =>
      [campaign_id, accepted, rejected, unanswered].join(),
    )
    .sort()
    .join(';');
