/** Keys of buyers are stored sealed; those that an earlier release stored in plain text work, and are repaired. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sealPlaintext } from '../../../src/account/repair/plaintext.js';
import { sealBuyer } from '../../../src/account/repair/resealing.js';
import { openHeaders } from '../../../src/account/buyers/sealedHeaders.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import type { Collections } from '../../../src/app/database.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { createRepairStore } from '../../../src/platform/mongo/repairs.js';
import { keyring } from '../values.js';
import { everythingIn } from '../../support/everything.js';
import { storeAsBefore } from '../../support/plainHeaders.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

const HOUR_MS = 3_600_000;
const URL = 'https://buyer.example/leads';

let api: ActionsApi;
beforeEach(async () => {
  // Each test has an empty database: a repair goes through all of it, once.
  api = await startActionsApi();
});
afterEach(() => api.stop());

const dbOf = ({ buyers }: Collections) => buyers.db;

/** One run of the repair, `hours` after the first process of this release began. */
const repair = (hours = 25, collections = api.collections) =>
  sealPlaintext({
    collections,
    keyring,
    stopping: () => false,
    repairs: createRepairStore(dbOf(api.collections)),
    log: { error: (...told: unknown[]) => expect(told).toEqual([]) },
    clock: { ...systemClock, now: () => new Date(Date.now() + hours * HOUR_MS) },
  });

/** Repeats the repair until nothing is left. Returns how many records were repaired. */
async function repairAll(): Promise<number> {
  await repair(0);
  let mended = 0;
  for (let run = 0; run < 4; run += 1) mended += await repair();
  return mended;
}

/** A buyer with headers of every kind, and the history of its campaign. */
async function account() {
  const org = await api.org();
  const { id: campaign_id } = await api.done<{ id: string }>(org, 'create_campaign', {
    name: 'Auto',
  });
  const { id: buyer_id } = await api.done<{ id: string }>(org, 'create_buyer', {
    name: 'Acme',
    delivery: { url: URL, headers: { 'X-Key': 'canary-own' } },
  });
  const ids = { campaign_id, buyer_id };
  const ping = { url: URL, headers: { 'X-$.Key': 'canary-ping' } };
  await api.done(org, 'set_buyer_ping', { buyer_id, ...ping });
  await api.done(org, 'add_buyer_to_campaign', ids);
  const delivery = { headers: { 'X-Key': 'canary-link' } };
  await api.done(org, 'update_campaign_buyer', { ...ids, delivery });
  return { org, ...ids };
}

const historyOf = (org: Org, campaign_id: string) =>
  api.done<{ versions: object[] }>(org, 'get_plan_history', { campaign_id });
const planNow = async (campaign_id: string): Promise<Plan> => {
  const found = await api.collections.plans.findOne({ campaign_id }, { sort: { version: -1 } });
  if (!found) throw new Error('There is no plan');
  return (await createPlanStore(api.collections.plans).get([found._id])).get(found._id)!;
};

describe('values of headers', () => {
  it('are in no collection in plain text', async () => {
    await account();
    expect(await everythingIn(dbOf(api.collections))).not.toContain('canary');
  });

  it('keep their sealed bytes while they are unchanged, so that no version shows a change', async () => {
    const { org, campaign_id, buyer_id } = await account();
    const before = (await planNow(campaign_id)).buyers[0];
    const same = { buyer_id, headers: { 'X-Key': 'canary-own' }, timeout_ms: 700 };
    await api.done(org, 'set_buyer_delivery', same);
    await api.done(org, 'set_buyer_ping', { buyer_id, timeout_ms: 400 });
    const after = (await planNow(campaign_id)).buyers[0];
    expect([after?.delivery, after?.ping]).toMatchObject([
      { headers: (before?.delivery as { headers?: object }).headers },
      { headers: before?.ping?.headers },
    ]);
    const { versions } = await historyOf(org, campaign_id);
    expect(JSON.stringify(versions.slice(0, 2))).not.toContain('headers');
  });
});

describe('values of headers that an earlier release stored in plain text', () => {
  it('are left unchanged for a day, then sealed everywhere, and no longer searched for', async () => {
    const { org, campaign_id } = await account();
    const history = await historyOf(org, campaign_id);
    await storeAsBefore(api.collections, keyring);
    const db = dbOf(api.collections);
    expect(await everythingIn(db)).toContain('canary-own');
    expect([await repair(0), await repair(23)]).toEqual([0, 0]);
    expect(await everythingIn(db)).toContain('canary-ping');
    // The buyer, its link, and each version that has the buyer.
    expect(await repairAll()).toBe(4);
    expect(await everythingIn(db)).not.toContain('canary');
    const terms = (await planNow(campaign_id)).buyers[0];
    const { headers } = terms?.delivery as { headers: Record<string, string> };
    expect(openHeaders(headers, terms?.buyer_id ?? '', keyring)).toEqual({
      'X-Key': 'canary-link',
    });
    expect(openHeaders(terms?.ping?.headers ?? {}, terms?.buyer_id ?? '', keyring)).toEqual({
      'X-$.Key': 'canary-ping',
    });
    expect(await historyOf(org, campaign_id)).toEqual(history);
    expect(await repair(26, {} as Collections)).toBe(0);
  });

  it('are sealed in plans whose lists are packed, which stay packed', async () => {
    // Lists of 65,536 codes and more are packed.
    const zips = Array.from({ length: 66_000 }, (_, n) => String(n + 10_000));
    const { org, campaign_id, buyer_id } = await account();
    await api.collections.campaignBuyers.updateOne({ campaign_id }, { $set: { zips } });
    await api.done(org, 'set_buyer_delivery', { buyer_id, timeout_ms: 700 });
    await storeAsBefore(api.collections, keyring);
    await repairAll();
    expect(await everythingIn(dbOf(api.collections))).not.toContain('canary');
    const stored = await api.collections.plans.findOne({ campaign_id }, { sort: { version: -1 } });
    expect(stored?.buyers[0]?.zips).toHaveProperty('packed');
    expect((await planNow(campaign_id)).buyers[0]?.zips).toEqual(zips);
  });

  it('are no change when half sealed: no version shows one, and a revert adds only its own', async () => {
    const { org, campaign_id, buyer_id } = await account();
    await storeAsBefore(api.collections, keyring);
    const { plan_version: before } = (await api.collections.campaigns.findOne({
      _id: campaign_id,
    }))!;
    await api.done(org, 'set_buyer_ping', { buyer_id, timeout_ms: 400 });
    const { versions } = await historyOf(org, campaign_id);
    const path = 'buyers["Acme"].ping.timeout_ms';
    expect(versions[0]).toHaveProperty('changes', [expect.objectContaining({ path })]);
    const reverted = await api.done(org, 'revert_plan', { campaign_id, version: before });
    expect(reverted).toMatchObject({ version: before + 2, still_different: [{ path }] });
    expect(await everythingIn(dbOf(api.collections))).toContain('canary-own');
    await repairAll();
    expect(await everythingIn(dbOf(api.collections))).not.toContain('canary');
  });

  it('need no extra version when sealed in the account but not yet in the plan', async () => {
    const { org, campaign_id, buyer_id } = await account();
    await storeAsBefore(api.collections, keyring);
    const { buyers } = api.collections;
    expect(await sealBuyer(buyers, (await buyers.findOne({ _id: buyer_id }))!, keyring)).toBe(1);
    const { version } = await api.done<{ version: number }>(org, 'get_campaign', { campaign_id });
    expect(await api.done(org, 'revert_plan', { campaign_id, version })).toMatchObject({
      version: version + 1,
      still_different: [],
    });
  });

  it('that are stored behind the repair while it runs are found by its next pass', async () => {
    const { buyer_id } = await account();
    await storeAsBefore(api.collections, keyring);
    await repair(0);
    await repair();
    const late = { 'delivery.headers': { 'X-Key': 'canary-late' } };
    await api.collections.buyers.updateOne({ _id: buyer_id }, { $set: late });
    expect(await repair()).toBe(1);
    expect([await repair(), await repair()]).toEqual([0, 0]);
    expect(await everythingIn(dbOf(api.collections))).not.toContain('canary');
  });
});

describe('the record of changes', () => {
  const SLACK = 'https://hooks.slack.com/services/T0/B0/canary-slack';

  it('shows targets, and no secret of an address, template or header', async () => {
    const { org, campaign_id, buyer_id } = await account();
    const { id: automation_id } = await api.done<{ id: string }>(org, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'SLACK',
      target: { url: SLACK },
    });
    const others = { url: 'https://chat.example/hooks/canary-chat' };
    await api.done(org, 'update_automation', { automation_id, target: others });
    await api.done(org, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'WEBHOOK',
      target: { url: 'https://crm.example/in?key=canary-query', headers: { A: 'canary-header' } },
    });
    const delivery = { url: `${URL}?k=canary-query#part`, template: { key: 'canary-template' } };
    await api.done(org, 'set_buyer_delivery', { buyer_id, ...delivery });
    // Refused, but recorded.
    const named = { buyer_id, url: 'https://ada:canary-word@buyer.example/leads' };
    expect(await api.call(await org.key(), 'set_buyer_delivery', named)).toMatchObject({
      status: 422,
    });
    await api.done(org, 'update_campaign_buyer', {
      campaign_id,
      buyer_id,
      delivery: { template: { key: 'canary-template' } },
    });
    const shown = JSON.stringify(await api.done(org, 'list_audit', {}));
    const stored = JSON.stringify(await api.collections.audit.find().toArray());
    expect([shown, stored].join(' ')).not.toContain('canary');
    for (const told of [
      '"url":"https://hooks.slack.com/[hidden]"',
      '"url":"https://chat.example/[hidden]"',
      '"url":"https://crm.example/in?[hidden]"',
      '"url":"https://buyer.example/leads?[hidden]#part"',
      '"url":"https://[hidden]@buyer.example/leads"',
      '"template":"[hidden]"',
    ])
      expect(stored).toContain(told);
  });

  it('of an earlier release is repaired, whatever it contains', async () => {
    const org = await api.org();
    const old = {
      org_id: org.id,
      at: new Date(),
      key_id: 'k',
      key_name: 'K',
      outcome: 'done' as const,
    };
    await api.collections.audit.insertMany([
      {
        ...old,
        _id: 'a',
        action: 'update_automation',
        input: { automation_id: 'x', target: { url: SLACK } },
      },
      {
        ...old,
        _id: 'b',
        action: 'set_buyer_delivery',
        input: { url: `${URL}?k=canary`, template: { key: 'canary' }, headers: '[hidden]' },
      },
    ]);
    // The record never shows it, not even before the repair.
    expect(JSON.stringify(await api.done(org, 'list_audit', {}))).not.toContain('canary');
    expect(await repairAll()).toBe(2);
    expect(await everythingIn(dbOf(api.collections))).not.toContain('canary');
    expect(await api.collections.audit.findOne({ _id: 'b' })).toMatchObject({
      input: { url: `${URL}?[hidden]`, template: '[hidden]', headers: '[hidden]' },
    });
  });
});
