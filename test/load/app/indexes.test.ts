import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { systemClock } from '../../../src/lib/clock.js';
import {
  publishForBuyer,
  publishForOrg,
  publishForSupplier,
} from '../../../src/account/plans/publish.js';
import {
  listSuppressions,
  openSuppressionList,
  removeSuppressions,
} from '../../../src/account/suppression/suppressions.js';
import { deleteSupplier } from '../../../src/account/suppliers/suppliers.js';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createResponseLog } from '../../../src/ingest/responseLog.js';
import { createLog } from '../../../src/lib/log.js';
import { createCapStore } from '../../../src/routing/store/caps.js';
import { createClaimStore } from '../../../src/leads/store/claims.js';
import { createTurnStore } from '../../../src/routing/store/turns.js';
import { afterTurn } from '../../../src/routing/rules/turns.js';
import { createIdempotencyStore } from '../../../src/ingest/store/idempotency.js';
import { INDEXES } from '../../../src/app/indexes.js';
import { createLeadLookup } from '../../../src/leads/store/leadLookup.js';
import { sampleLeads } from '../../../src/leads/store/sampleLeads.js';
import { createLeadStore } from '../../../src/leads/store/leads.js';
import {
  clearEntries,
  countEntries,
  createSuppressionStore,
} from '../../../src/account/store/suppressions.js';
import { keyring } from '../../account/values.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { drawTokens } from '../../../src/platform/rateLimits/store/rates.js';
import { sendAttention } from '../../app/queries/attentionQueries.js';
import { sendActions } from '../../app/queries/actionQueries.js';
import { sendRecords } from '../../app/queries/recordQueries.js';
import { after, aLead, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import {
  explain,
  nameOf,
  record,
  type Explained,
  type Recorder,
} from '../../app/queries/explain.js';
import { sendEvents } from '../../app/queries/eventQueries.js';
import { sendAlerts } from '../../app/queries/alertQueries.js';
import { sendAttemptDays } from '../../app/queries/attemptQueries.js';
import { sendDeliveries } from '../../app/queries/deliveryQueries.js';
import { sendRedemptions } from '../../app/queries/redemptionQueries.js';
import { sendQueue } from '../../app/queries/operatorQueries.js';
import { sendPingUpkeep } from '../../app/queries/pingUpkeepQueries.js';
import { sendEventPages } from '../../app/queries/eventPageQueries.js';
import { sendSales } from '../../app/queries/saleQueries.js';
import { sendPostbacks } from '../../app/queries/postbackQueries.js';
import { sendOutcomes } from '../../app/queries/outcomeQueries.js';
import { sendPeople } from '../../app/queries/peopleQueries.js';
import { sendPings } from '../../app/queries/pingQueries.js';
import { anMd5, many, seed } from '../../app/queries/seed.js';
import { sendFunnels } from '../../app/queries/funnelQueries.js';
import { seedRecipients, sendOthers } from '../../app/queries/otherQueries.js';
import { storeSites, watchSites } from '../../app/queries/storeSites.js';
import { sendPortals } from '../../app/queries/portalQueries.js';
import { sendState } from '../../app/queries/stateQueries.js';
import { sendRepair } from '../../app/queries/repairQueries.js';
import { sendSupplierPortal } from '../../app/queries/supplierPortalQueries.js';
import { accountOf } from '../../support/org.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };
const log = createLog('silent', 'test');
const LEASE = after(3_000);

/** Every query of the code, sent by the code. Each call runs on data that no earlier call has changed. */
async function sendAll({ during }: Recorder, { collections }: TestDatabase): Promise<void> {
  const leads = createLeadStore(collections.leads);
  const mixed = [...many('fresh'), ...many('left'), ...many('owned')];
  await during('leads.take', () => leads.acquire(mixed, 'run-2', LEASE, NOW));
  await during('leads.takePending', () =>
    leads.acquireWaiting(many('waiting'), 'run-3', LEASE, NOW),
  );
  await during('leads.extendLease', () => leads.extendLease(mixed, 'run-1', LEASE));
  const decided = many('owned').map((leadId) => ({
    leadId,
    status: 'UNMATCHED' as const,
    trail: [],
  }));
  await during('leads.decide', () => leads.decide('run-1', decided, NOW));
  const routed = decided.map(({ leadId }) => ({ leadId, duplicate_of: 'lead', route_to: 'buyer' }));
  await during('leads.route', () => leads.route('run-1', routed));
  await during('leads.hand', () => leads.park('run-1', decided, NOW));
  const sale = { buyer_id: 'buyer', attempt: 1, price: 1, cost: 0, at: NOW };
  const sold = decided.map(({ leadId }) => ({ leadId, maxSells: 1, sale, profit: 1, trail: [] }));
  await during('leads.sell', () => leads.sell(sold, NOW));
  await during('leads.withdraw', () => leads.withdraw(mixed, NOW));
  const own = [aLead({ _id: 'fresh-2', run: 'run-9' }), aLead({ _id: 'not-stored', run: 'run-9' })];
  await during('leads.withdrawCalledOff', () => leads.withdrawCalledOff(own, 'run-9', NOW));
  await during('leads.promise', () => leads.promise(mixed, NOW));
  await during('leads.answers', () => leads.answers(mixed));
  await during('leads.getMany', () => leads.getMany(many('fresh')));
  const responseLog = createResponseLog({ collections, clock, log });
  await during('marks', async () => {
    mixed.forEach((id) => responseLog.answered(id));
    responseLog.broken('fresh-1');
    await responseLog.flush();
  });

  await sendPostbacks({ during }, collections);
  await sendSupplierPortal({ during }, collections);
  const found = createLeadLookup(collections.leads);
  const key = { keys: ['phone:+15550000007'], campaign_id: 'campaign' };
  const sender = { org_id: 'org', supplier_id: 'supplier' };
  await during('leadLookup, by key', () => found.find(sender, key, 100));
  const forms = { ...key, keys: [...key.keys, 'phone:+15550000008'] };
  await during('leadLookup, by two forms of a key', () => found.find(sender, forms, 100));
  await during('leadLookup, by id', () => found.find(sender, { id: 'done-1' }, 100));
  const campaign = { org_id: 'org', campaign_id: 'campaign' };
  for (const choice of [{ leadId: 'done-1' }, { campaign }, {}]) {
    const name = `leadSample, by ${Object.keys(choice).join('') || 'nothing'}`;
    await during(name, () => sampleLeads(collections.leads, { ...choice, limit: 20 }).toArray());
  }

  await sendDeliveries({ during }, collections);
  const turns = createTurnStore(collections.turns);
  await during('turns.take', () =>
    turns.take('campaign-1', (now) => ({ turns: afterTurn(now, 'buyer-1'), result: null })),
  );
  await sendQueue({ during }, collections);
  await sendAttention({ during }, collections);

  const caps = createCapStore(collections.caps);
  const keys = {
    hour: '2026-11-21T14:00:00Z',
    day: '2026-11-21',
    week: 'W2026-11-16',
    month: '2026-11',
  };
  const candidates = [{ hold_id: 'fresh:1', fence: 1, amount: 1 }];
  await during('caps.reserve', () => caps.reserve({ id: 'cap', limits: {}, keys, candidates }));
  await during('caps.commit', () => caps.commit('cap', candidates));
  await during('caps.release', () => caps.release('cap', candidates));
  await during('caps.adopt', () =>
    caps.adopt(
      'cap',
      candidates.map((one) => ({ ...one, keys })),
    ),
  );

  const claims = createClaimStore(collections);
  const requests = many('claim').map((claim_id, n) => ({
    claim_id,
    lead_id: `fresh-${n}`,
    window_days: 30,
  }));
  await during('claims.claim', () => claims.claim([requests], NOW));
  const idempotency = createIdempotencyStore(collections.idempotency);
  const given = many('key').map((_id, n) => ({
    _id,
    body_hash: 'hash',
    lead_id: `done-${n}`,
    expires_at: NOW,
  }));
  await during('idempotency.claim', () => idempotency.claim(given));
  await during('idempotency.free', () => idempotency.free(given));
  const [first = { _id: '', body_hash: '', lead_id: '', expires_at: NOW }] = given;
  await during('idempotency.get', () => idempotency.get('key-1'));
  await during('idempotency.replace', () => idempotency.replace(first, first));
  const limit = { per_second: 1, burst_per_second: 2, burst_seconds: 1 };
  await during('rates', () =>
    drawTokens(collections.rates, { key: 'supplier', limit, want: 1, giveBack: 0 }),
  );

  const plans = createPlanStore(collections.plans);
  await during('plans.get', () => plans.get(['campaigns-1:1', 'campaigns-2:2']));
  const accountCache = createAccountCache(collections, plans, systemClock);
  await during('directory.supplierByKey', () => accountCache.supplierByKey('hash-1'));
  await during('directory.plan', () => accountCache.plan('org', 'campaigns-1'));
  const refused = (call: Promise<unknown>) => call.catch(() => undefined);
  await during('publishForBuyer', () => refused(publishForBuyer({ collections }, 'buyers-1')));
  await during('publishForSupplier', () =>
    refused(publishForSupplier({ collections }, 'suppliers-1')),
  );
  await during('publishForOrg', () => refused(publishForOrg({ collections, orgId: 'org' })));
  const suppressions = createSuppressionStore(collections, keyring);
  const query = many('lead').map((lead_id, n) => ({
    lead_id,
    org_id: 'org',
    list_ids: ['list-1', 'list-2'],
    keys: [{ field: 'phone' as const, md5: anMd5(n) }],
  }));
  await during('suppressions.hits', () => suppressions.hits(query));
  await during('suppressions.add', () =>
    suppressions.add(
      { list_id: 'list-1', org_id: 'org' },
      many('x').map((_, n) => anMd5(n)),
      true,
    ),
  );
  await during('suppressions.count', () => countEntries(collections.suppressions, 'list-1'));
  const target = { scope: 'buyer', buyer_id: 'buyers-1' } as const;
  const input = { org_id: 'org', target, name: 'List 1', uploaded_by: 'key' };
  await during('openSuppressionList', () =>
    refused(openSuppressionList(accountOf({ collections }, input.org_id), input)),
  );
  const pages = [null, { at: before(20), id: 'list-20' }];
  for (const after of pages)
    await during('listSuppressions', () =>
      listSuppressions(accountOf({ collections }, 'org'), { after, limit: 20 }),
    );
  await during('removeSuppressions', () =>
    refused(removeSuppressions(accountOf({ collections }, 'org'), 'list-1')),
  );
  await during('suppressions.remove', () =>
    suppressions.remove({ list_id: 'list-1', org_id: 'org' }, [['0'.repeat(32), '1'.repeat(32)]]),
  );
  await during('suppressions.clear', () => clearEntries(collections.suppressions, 'list-2'));
  await sendOthers({ during }, collections);
  await sendEventPages({ during }, collections);
  await sendSales({ during }, collections);
  await sendOutcomes({ during }, collections);
  await sendPings({ during }, collections);
  await sendRedemptions({ during }, collections);
  await sendPortals({ during }, collections);
  await sendFunnels({ during }, collections);
  await sendActions({ during }, collections);
  await sendRecords({ during }, collections);
  await during('deleteSupplier', () =>
    refused(deleteSupplier(accountOf({ collections }, 'org'), 'suppliers-3')),
  );
}

describe('indexes', () => {
  let database: TestDatabase;
  let twin: TestDatabase;
  let explained: Explained[];
  /** The places of the code that sent queries. */
  let reached: ReadonlySet<string>;

  beforeAll(async () => {
    [database, twin] = await Promise.all([openDatabase(), openDatabase({ monitorCommands: true })]);
    await Promise.all([database, twin].map(({ collections }) => seed(collections)));
    await Promise.all([database, twin].map(({ collections }) => seedRecipients(collections)));
    // The calls change the twin; their queries are explained on the unchanged database.
    const recorder = record(twin.client);
    const sites = watchSites();
    reached = sites.reached;
    await sendState(recorder, twin.collections);
    await sendEvents(recorder, twin.collections);
    await sendAlerts(recorder, twin.collections);
    await sendPingUpkeep(recorder, twin.collections);
    await sendAttemptDays(recorder, twin.collections);
    await sendRepair(recorder, twin);
    await sendPeople(recorder, twin);
    await sendAll(recorder, twin);
    sites.stop();
    explained = [];
    for (const sent of recorder.sent)
      explained.push(await explain(database.client, database.name, sent));
  }, 180_000);
  afterAll(() => Promise.all([database.drop(), twin.drop()]));

  const told = (rows: Explained[]) =>
    rows.map(
      ({ by, kind, collection, stages, examined, useful }) =>
        `${by}: ${kind} ${collection} by ${stages.join(' < ')} read ${examined} for ${useful}`,
    );

  it('sees every query of the stores', () => {
    const missing = storeSites().filter((site) => !reached.has(site));
    // At the first start after the upgrade it goes once through all leads.
    expect(missing).toEqual([
      expect.stringMatching(/^src\/reports\/store\/rollups\.js:\d+ updateMany$/),
    ]);
    expect(explained.every(({ stages }) => stages.length > 0)).toBe(true);
  });

  it('serves every query by an index', () => {
    expect(told(explained.filter(({ stages }) => stages.includes('COLLSCAN')))).toEqual([]);
  });

  /** Lists of one record by its id: a handful of rows at most. */
  const OF_ONE: ReadonlySet<string> = new Set(['listChangeRequests id', 'list_returns lead_id']);

  it('sorts nothing in memory, but the few rows of one record', () => {
    const sorted = explained.filter(({ stages, by }) => stages.includes('SORT') && !OF_ONE.has(by));
    expect(told(sorted)).toEqual([]);
  });

  it('reads few documents beyond the result', () => {
    const wasteful = explained.filter(
      ({ examined, useful, named }) => examined > Math.max(useful * 1.1, named) + 2,
    );
    expect(told(wasteful)).toEqual([]);
  });

  it('has no unused index', () => {
    const used = new Set(
      explained.flatMap(({ collection, indexes }) =>
        indexes.map((name) => `${collection} ${name}`),
      ),
    );
    const idle = INDEXES.filter(
      ({ options }) => !options?.unique && options?.expireAfterSeconds === undefined,
    )
      .map(({ collection, key }) => `${collection} ${nameOf(key as Document)}`)
      .filter((name) => !used.has(name));
    expect(idle).toEqual([]);
  });
});
