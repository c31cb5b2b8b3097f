import { recountPingRollups } from '../../../src/reports/repair/recount.js';
import { restless } from '../../reports/disturbed.js';
import { expireOverdue, publishAbandoned } from '../../../src/pings/repair/pings.js';
import { readPingReport } from '../../../src/reports/pingReport.js';
import { rollUpPings } from '../../../src/reports/rollUp.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { quietLog } from '../../support/quietLog.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };

/** Queries of background work on pings: expiry and counting. */
export async function sendPingUpkeep(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const deps = { collections, clock };
  await during('pings, told as expired', () => publishAbandoned(deps));
  await during('pings, expired', () => expireOverdue(deps));
  await during('recountPingRollups', () =>
    recountPingRollups({ ...deps, log: quietLog }, restless()),
  );
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
