/** Sums with much for reports to find, and more to skip. */
import { dayAfter } from '../../../src/fields/days.js';
import { placeKey, type Place } from '../../../src/reports/rules/rollups.js';
import type { Collections } from '../../../src/app/database.js';
import type { RollupDoc } from '../../../src/reports/store/rollupDocs.js';
import { after, before } from '../../support/storedRows.js';

const HOUR = 3_600_000;

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedRollups({ rollups, rollupState }: Collections): Promise<void> {
  await rollups.insertMany(sums());
  await rollupState.insertOne({ _id: 'leads', seq: 1, batch: null });
}

/** Sums of 20 days and 10 campaigns, the oldest day due to be compared. */
const sums = (): RollupDoc[] =>
  times(200, (n) => {
    const day = dayAfter('2026-11-21', -(n % 20));
    const campaign_id = n < 20 ? 'campaign' : `campaigns-${Math.floor(n / 20)}`;
    const added = {
      leads: 1,
      sales: 1,
      revenue: 10,
      cost: 4,
      converted: 1,
      not_qualified: 0,
      converted_again: 0,
      returned: 0,
      conversion_revenue: 10,
    };
    const places: Place[] = [
      { facet: 'all' },
      ...times(20, (b) => ({ facet: 'buyer' as const, buyer_id: `buyer-${b}` })),
      ...['supplier', 'another'].map((supplier_id) => ({
        facet: 'supplier' as const,
        supplier_id,
      })),
      ...times(5, (s) => ({ facet: 'state' as const, state: `S${s}` })),
      ...times(10, (c) => ({
        facet: 'cell' as const,
        supplier_id: c % 2 === 0 ? 'supplier' : 'another',
        buyer_id: `buyer-${c}`,
        state: `S${c % 5}`,
      })),
    ];
    const hours: Place[] = times(24, (hour) => ({
      facet: 'hour' as const,
      supplier_id: hour % 2 === 0 ? 'supplier' : 'another',
      hour,
    }));
    const clock: Place[] = times(24, (hour) => ({ facet: 'clock' as const, hour }));
    return [...places, ...hours, ...clock].map((place) => ({
      _id: `${campaign_id}:${day}:${placeKey(place)}`,
      org_id: n < 20 ? 'org' : 'other',
      campaign_id,
      day,
      seq: 1,
      ...place,
      by_status: { ACCEPTED: added },
      ...(place.facet === 'all' ? { recount_at: n % 20 === 19 ? before(HOUR) : after(HOUR) } : {}),
    }));
  }).flat();
