import { createLeadStore } from '../../../src/leads/store/leads.js';
import { createPingRedemption } from '../../../src/pings/store/pingRedemption.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

/** Queries of ingest for leads that redeem pings. */
export async function sendRedemptions(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const redemption = createPingRedemption(collections);
  const wanted = many('ping').map((ping_id, n) => ({
    ping_id,
    lead_id: `fresh-${n}`,
    counts: true,
    from: n % 2 === 0 ? null : `left-${n}`,
  }));
  await during('redemption.read', () => redemption.read(many('ping')));
  await during('redemption.holders', () => redemption.holders(many('fresh')));
  await during('redemption.redeem', () => redemption.redeem(wanted, NOW));
  await during('leads.discard', () => createLeadStore(collections.leads).discard(many('fresh')));
}
