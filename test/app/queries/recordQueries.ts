/** Queries of actions on whole records: counts, links, and an account that moves to another time zone. */
import { loadNamedLinks, sizesOfLinks } from '../../../src/account/campaigns/loadCampaign.js';
import { findAnyCampaign, listBuyerIds } from '../../../src/account/store/linkedIds.js';
import { countRecords } from '../../../src/account/store/recordCounts.js';
import { finishMoves } from '../../../src/account/timeZone.js';
import { countWaitingOf } from '../../../src/deliveries/store/waiting.js';
import { systemClock } from '../../../src/lib/clock.js';
import { moveWindows } from '../../../src/distribution/moveWindows.js';
import { listPublished } from '../../../src/funnels/campaign.js';
import { countDays, recountAllDays } from '../../../src/reports/recountAllDays.js';
import { accountOf } from '../../support/org.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

export async function sendRecords(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const account = accountOf({ collections }, 'org');
  const { deliveries } = collections;
  const [campaign_id, buyer_id] = ['campaigns-1', 'buyers-1'];
  await during('countRecords', () => countRecords(account));
  await during('listBuyerIds', () => listBuyerIds(account, campaign_id));
  await during('findAnyCampaign', () => findAnyCampaign(account, buyer_id));
  await during('sizesOfLinks', () => sizesOfLinks(collections, [campaign_id]));
  await during('loadNamedLinks', () => loadNamedLinks(collections, [campaign_id]));
  await during('countWaitingOf', () => countWaitingOf(deliveries, { buyer_ids: [buyer_id] }, 100));
  await during('listPublished', () => listPublished(collections, { campaign_id }));
  await during('countDays', () => countDays('org', collections));
  const steps = { moveCaps: () => Promise.resolve(), recountReports: () => Promise.resolve() };
  await during('finishMoves', () =>
    finishMoves({ collections, clock: systemClock, log: { error: () => undefined } }, steps),
  );
  const at = new Date('2026-11-21T00:30:00Z');
  const move = { orgId: 'org', at, from: 'America/New_York', to: 'Europe/Berlin' };
  await during('moveWindows', () => moveWindows(move, { collections, clock: { now: () => at } }));
  await during('recountAllDays', () =>
    recountAllDays('org', { collections, clock: account.clock }),
  );
}
