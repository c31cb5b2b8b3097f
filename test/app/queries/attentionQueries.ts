import {
  countUnknowns,
  findOpenBreakers,
  findQueued,
  readQueues,
  readQueueStates,
} from '../../../src/deliveries/store/attention.js';
import { findMeasured, measureEach } from '../../../src/deliveries/store/buyerAttempts.js';
import { findLastLeadsAt, sumLeads } from '../../../src/leads/store/leadSums.js';
import { findDeliveries, findDelivery } from '../../../src/deliveries/store/deliveryPages.js';
import { LISTED_STATES } from '../../../src/deliveries/store/deliveryIndexes.js';
import { WAITING } from '../../../src/deliveries/store/waiting.js';
import { readCapUsage } from '../../../src/routing/readCapUsage.js';
import { readWaits } from '../../../src/routing/readWaits.js';
import { before, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

const MINUTE = 60_000;

/** Queries of what waits for an operator: queues, deliveries, breakers and caps. */
export async function sendAttention(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const { deliveries, destinations } = collections;
  for (const org of ['org', null]) {
    const whose = org === null ? ', of all' : '';
    await during(`readQueues${whose}`, () => readQueues(deliveries, org, 10_000));
    await during(`countUnknowns${whose}`, () => countUnknowns(deliveries, org, 1_000));
    await during(`findOpenBreakers${whose}`, () => findOpenBreakers(destinations, org, 100));
  }
  await during('readQueueStates', () =>
    readQueueStates(deliveries, ['buyer-1', 'buyer-2'], 10_000),
  );
  await during('findQueued', () => findQueued(deliveries, ['buyer-1', 'buyer-2', 'none']));
  const recent = { org_id: 'org', buyer_id: 'buyer-2', from: before(20 * MINUTE) };
  await during('findMeasured', () => findMeasured(deliveries, recent, 20));
  const many = { org_id: 'org', buyer_ids: ['buyers-1', 'buyers-2'], from: recent.from };
  await during('measureEach', () => measureEach(collections, many, 20));
  const { leads } = collections;
  const span = { from: before(200 * MINUTE), before: before(100 * MINUTE) };
  await during('sumLeads', () => sumLeads(leads, 'org', span));
  await during('findLastLeadsAt', () => findLastLeadsAt(leads, 'org', ['supplier', 'supplier-1']));
  const waits = { org_id: 'org', states: WAITING };
  const ended = { org_id: 'org', states: LISTED_STATES };
  const refused = { ...ended, states: ['rejected'] as const };
  const [buyer, campaign] = [{ buyer_id: 'buyer-2' }, { campaign_id: 'campaign' }];
  const from = { from: before(10 * MINUTE) };
  const place = { at: before(5 * MINUTE), id: 'waiting-300:1' };
  for (const filter of [
    waits,
    { ...waits, ...buyer },
    { ...waits, ...campaign },
    { ...waits, ...from },
  ])
    for (const after of [null, place])
      await during(`findDeliveries, ${Object.keys(filter).join(' ')}${after ? ', next' : ''}`, () =>
        findDeliveries(deliveries, filter, { after, limit: 20 }),
      );
  await during('findDeliveries, of a lead', () =>
    findDeliveries(deliveries, { ...ended, lead_id: 'waiting-3' }, { after: null, limit: 20 }),
  );
  await during('findDeliveries, ended', () =>
    findDeliveries(deliveries, { ...ended, ...buyer }, { after: null, limit: 20 }),
  );
  await during('findDeliveries, ended, of several buyers', () =>
    findDeliveries(deliveries, refused, { after: null, limit: 20 }, ['buyer-1', 'buyer-2']),
  );
  await during('findDelivery', () => findDelivery(deliveries, 'org', 'waiting-3:1'));
  const page = await findDeliveries(deliveries, waits, { after: null, limit: 20 });
  await during('readWaits', () =>
    readWaits(collections, page?.docs ?? [], { now: NOW, timeZone: 'UTC' }),
  );
  const owners = [{}, { campaign_id: 'campaigns-1' }, { buyer_id: 'buyers-1' }];
  for (const owner of [...owners, { supplier_id: 'suppliers-1' }])
    await during(`readCapUsage, ${Object.keys(owner).join('')}`, () =>
      readCapUsage(
        collections,
        { filter: { org_id: 'org', ...owner }, timeZone: 'UTC', after: null },
        NOW,
      ).next(),
    );
}
