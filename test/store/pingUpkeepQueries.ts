import { recountPingRollups } from '../../activities/reconcile/pingRollups.js';
import { restless } from '../rollups/disturbed.js';
import { expireOverdue, tellExpired } from '../../activities/reconcile/pings.js';
import { readPingReport } from '../../src/rollups/pingReport.js';
import { rollUpPings } from '../../src/rollups/rollPings.js';
import { NOW } from './builders.js';
import type { TestDatabase } from './database.js';
import type { Recorder } from './explain.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };

/** What is seen to behind the pings: that they expire, and are counted. */
export async function sendPingUpkeep(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const deps = { collections, clock };
  await during('pings, told as expired', () => tellExpired(deps));
  await during('pings, expired', () => expireOverdue(deps));
  await during('recountPingRollups', () => recountPingRollups(deps, restless()));
  const days = { orgId: 'org', from: '2026-11-20', to: '2026-11-21' };
  const [campaign, supplier, buyer] = [
    { campaign_id: 'campaign' },
    { supplier_id: 'supplier' },
    { buyer_id: 'buyer-0' },
  ];
  for (const scope of [{}, campaign, supplier, buyer, { ...campaign, ...supplier, ...buyer }])
    for (const group of [null, 'campaign', 'supplier', 'buyer'] as const)
      await during(`readPingReport, ${Object.keys(scope).join('')} by ${group}`, () =>
        readPingReport(deps, { ...days, ...scope }, group),
      );
  await during('rollUpPings', () => rollUpPings(deps, { withinMs: 1_000 }));
}
