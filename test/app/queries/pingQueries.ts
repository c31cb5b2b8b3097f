import { createCapStore } from '../../../src/routing/store/caps.js';
import { createClaimStore } from '../../../src/leads/store/claims.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { createPingCountStore } from '../../../src/pings/store/pingCounts.js';
import { createPingStore } from '../../../src/pings/store/pings.js';
import { createTurnStore } from '../../../src/routing/store/turns.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

/** Queries for deciding pings and storing them. */
export async function sendPings(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const pings = createPingStore(collections.pings);
  await during('pings.get', () => pings.get(many('ping')));
  const counts = createPingCountStore(collections.pingCounts);
  const link = { kind: 'buyer' as const, campaign_id: 'campaign', id: 'buyer-1' };
  await during('pingCounts.grant', () =>
    counts.grant({ ...link, day: '2026-11-21', cap: 500, wanted: 20 }, NOW),
  );
  const caps = createCapStore(collections.caps);
  await during('caps.read', () => caps.read(many('buyer:campaign:buyer')));
  const claims = createClaimStore(collections);
  const requests = many('claim').map((claim_id, n) => ({
    claim_id,
    lead_id: `ping-${n}`,
    window_days: 30,
  }));
  await during('claims.holders', () => claims.holders(requests, NOW));
  const span = { after: new Date(0), before: NOW, match: 'ANY' as const };
  const place = { org_id: 'org', campaign_id: 'campaign' };
  await during('claims.earlier', () =>
    claims.earlier([
      {
        ...place,
        ...span,
        lead_id: 'ping-1',
        keys: [['email:person.1@example.com'], ['click_id:1']],
      },
      {
        ...place,
        ...span,
        lead_id: 'ping-2',
        keys: [['email:person.2@example.com']],
        match: 'ALL',
      },
    ]),
  );
  const turns = createTurnStore(collections.turns);
  await during('turns.read', () => turns.read(many('campaign')));
  const destinations = createDestinationStore(collections.destinations);
  await during('destinations.resting', () => destinations.findOpenUntil(many('buyer'), NOW));
}
