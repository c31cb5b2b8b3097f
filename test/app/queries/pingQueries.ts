import { capStore } from '../../../src/routing/store/caps.js';
import { claimStore } from '../../../src/leads/store/claims.js';
import { destinationStore } from '../../../src/deliveries/store/destinations.js';
import { pingCountStore } from '../../../src/pings/store/pingCounts.js';
import { pingStore } from '../../../src/pings/store/pings.js';
import { turnStore } from '../../../src/routing/store/turns.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

/** What a ping is decided by, and what is kept of it. */
export async function sendPings(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const pings = pingStore(collections.pings);
  await during('pings.get', () => pings.get(many('ping')));
  const counts = pingCountStore(collections.pingCounts);
  const link = { kind: 'buyer' as const, campaign_id: 'campaign', id: 'buyer-1' };
  await during('pingCounts.grant', () =>
    counts.grant({ ...link, day: '2026-11-21', cap: 500, asked: 20 }, NOW),
  );
  const caps = capStore(collections.caps);
  await during('caps.read', () => caps.read(many('buyer:campaign:buyer')));
  const claims = claimStore(collections);
  const requests = many('claim').map((claim_id, n) => ({
    ...{ claim_id, lead_id: `ping-${n}`, window_days: 30 },
  }));
  await during('claims.holders', () => claims.holders(requests, NOW));
  const turns = turnStore(collections.turns);
  await during('turns.read', () => turns.read(many('campaign')));
  const destinations = destinationStore(collections.destinations);
  await during('destinations.resting', () => destinations.resting(many('buyer'), NOW));
}
