/** Pings due for background work, among those that are not. */
import type { Collections } from '../../../src/app/database.js';
import { dayAfter } from '../../../src/fields/days.js';
import { pingPlaceKey, type PingPlace } from '../../../src/pings/rules/rollups.js';
import type { PingRollupDoc } from '../../../src/reports/store/rollupDocs.js';
import { after, before } from '../../support/storedRows.js';
import { aPing } from '../../support/pingBuilders.js';

const HOUR = 3_600_000;

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedPingUpkeep({
  pings,
  pingRollups,
  rollupState,
}: Collections): Promise<void> {
  const forget_at = new Date(Date.now() + HOUR);
  await pings.insertMany([
    ...times(40, (n) =>
      aPing({ _id: `overdue-${n}`, forget_at, expires_at: before(HOUR + n * 1_000) }),
    ),
    ...times(500, (n) => aPing({ _id: `open-${n}`, forget_at, expires_at: after(n * 1_000) })),
    ...times(40, (n) =>
      aPing({
        _id: `untold-${n}`,
        forget_at,
        state: 'expired',
        untold: `batch-${n % 3}`,
        expired_at: before(HOUR + n * 1_000),
      }),
    ),
    ...times(500, (n) =>
      aPing({
        _id: `expired-${n}`,
        forget_at,
        state: 'expired',
        expired_at: before(2 * HOUR + n * 1_000),
      }),
    ),
    ...times(40, (n) =>
      aPing({
        _id: `uncounted-${n}`,
        forget_at,
        org_id: n % 2 ? 'org' : 'other',
        uncounted: true,
        campaign_id: 'counted',
        changes: n % 3,
        state: 'redeemed',
      }),
    ),
  ]);
  await pingRollups.insertMany(sums());
  await rollupState.insertOne({ _id: 'pings', seq: 1, batch: null });
}

/** Sums of 20 days and 10 campaigns, one day due to be compared. */
const sums = (): PingRollupDoc[] =>
  times(200, (n) => {
    const day = dayAfter('2026-11-21', -(n % 20));
    const campaign_id = n < 20 ? 'campaign' : `campaigns-${Math.floor(n / 20)}`;
    const both = ['supplier', 'another'].flatMap((supplier_id) =>
      times(10, (b) => ({ supplier_id, buyer_id: `buyer-${b}` })),
    );
    const places: PingPlace[] = [
      { facet: 'all' },
      ...['supplier', 'another'].map((supplier_id) => ({
        facet: 'supplier' as const,
        supplier_id,
      })),
      ...times(10, (b) => ({ facet: 'buyer' as const, buyer_id: `buyer-${b}` })),
      ...both.map((ids) => ({ facet: 'cell' as const, ...ids })),
    ];
    return places.map((place) => ({
      _id: `${campaign_id}:${day}:${pingPlaceKey(place)}`,
      org_id: n < 20 ? 'org' : 'other',
      campaign_id,
      day,
      seq: 1,
      ...place,
      sums: { pings: 4, accepted: 3, redeemed: 1, bids: 30 },
      ...(place.facet === 'all' ? { recount_at: n % 20 === 0 ? before(HOUR) : after(HOUR) } : {}),
    }));
  }).flat();
