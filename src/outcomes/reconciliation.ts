/** A buyer's deliveries, their status and revenue, for comparison with the buyer's books. */
import { chunks } from '../lib/chunks.js';
import type { Micros } from '../fields/money.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { OutcomeCollections } from './store/collections.js';
import type { DeliveryState } from '../deliveries/store/deliveryDoc.js';
import type { RollDeps } from '../reports/countBatches.js';
import type { ReportScope } from '../reports/reading.js';
import { readOutcomes } from '../reports/report.js';

type ReconciliationScope = ReportScope & { buyer_id: string };

/** Requests that reached the buyer, or may have. */
export interface Delivered {
  accepted: number;
  rejected: number;
  /** Never answered: held, or gone on to the next buyer. */
  unknown: number;
  /** Never answered or never accepted, until their age limit. */
  expired: number;
}

interface ReconciliationDeps extends RollDeps {
  collections: RollDeps['collections'] &
    Pick<
      AccountCollections & DeliveryCollections & OutcomeCollections,
      'campaigns' | 'deliveries' | 'returns'
    >;
}

/**
 * Deliveries and reversed revenue by campaign, and the sums of the reports. Each read of a buyer uses an index on the
 * buyer, the days and the campaign.
 */
export async function readReconciliation(deps: ReconciliationDeps, scope: ReconciliationScope) {
  const [delivered, { rows: sums, uncounted }, reversed] = await Promise.all([
    readDelivered(deps, scope),
    readOutcomes(deps, scope, 'campaign'),
    readReversed(deps, scope),
  ]);
  return { delivered, sums, reversed, uncounted };
}

export const NOTHING_DELIVERED: Delivered = { accepted: 0, rejected: 0, unknown: 0, expired: 0 };

const MEANINGS: Partial<Record<DeliveryState, keyof Delivered>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unknown',
  abandoned: 'unknown',
  expired: 'expired',
};

/** A delivery that was never answered is unknown, even where it waits to be sent again. */
const STATE = {
  $cond: [
    { $and: [{ $eq: ['$state', 'parked'] }, { $eq: ['$unanswered', true] }] },
    'unknown',
    '$state',
  ],
};

/** Campaigns read by one command. */
const CAMPAIGNS_AT_ONCE = 50;

/**
 * Each attempt counts on the day on which its buyer's caps count it: when it was sent last. The buyer may have left a
 * campaign since, so all of the account's are read.
 */
async function readDelivered(
  { collections }: ReconciliationDeps,
  { orgId, buyer_id, campaign_id, from, to }: ReconciliationScope,
): Promise<Map<string, Delivered>> {
  const ofAccount = { org_id: orgId, _id: campaign_id };
  const campaigns = await collections.campaigns
    .find(ofAccount, { projection: { _id: 1 } })
    .toArray();
  const ids = campaigns.map(({ _id }) => _id);
  const found = await Promise.all(
    chunks(ids, CAMPAIGNS_AT_ONCE).map((some) =>
      collections.deliveries
        .aggregate<{ _id: { campaign: string; state: DeliveryState }; count: number }>([
          {
            $match: {
              campaign_id: { $in: some },
              buyer_id,
              'reserved.day': { $gte: from, $lte: to },
            },
          },
          { $group: { _id: { campaign: '$campaign_id', state: STATE }, count: { $sum: 1 } } },
        ])
        .toArray(),
    ),
  );
  const delivered = new Map<string, Delivered>();
  for (const { _id, count } of found.flat()) {
    const meaning = MEANINGS[_id.state];
    if (!meaning) continue;
    const sum = delivered.get(_id.campaign) ?? { ...NOTHING_DELIVERED };
    sum[meaning] += count;
    delivered.set(_id.campaign, sum);
  }
  return delivered;
}

/** Revenue that returns reversed, on the day on which their lead arrived. */
async function readReversed(
  { collections }: ReconciliationDeps,
  { orgId, buyer_id, campaign_id, from, to }: ReconciliationScope,
): Promise<Map<string, Micros>> {
  const found = await collections.returns
    .aggregate<{ _id: string; reversed: Micros }>([
      {
        $match: {
          org_id: orgId,
          buyer_id,
          state: 'accepted',
          lead_day: { $gte: from, $lte: to },
          campaign_id,
        },
      },
      { $group: { _id: '$campaign_id', reversed: { $sum: '$reversed' } } },
    ])
    .toArray();
  return new Map(found.map(({ _id, reversed }) => [_id, reversed]));
}
