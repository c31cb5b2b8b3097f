/** Sealed values of an earlier release, and those under an older secret, go on working and are sealed again. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { accountStages } from '../../../src/account/repair/resealing.js';
import { supplierKeyPlace } from '../../../src/account/rules/sealedPlaces.js';
import { systemClock } from '../../../src/lib/clock.js';
import { peopleStages } from '../../../src/people/repair/resealing.js';
import { clientSecretPlace, totpPlace } from '../../../src/people/rules/sealedPlaces.js';
import { createRepairStore } from '../../../src/platform/mongo/repairs.js';
import { runStages } from '../../../src/platform/mongo/stagedRepair.js';
import { createKeyring, type Keyring } from '../../../src/platform/security/seal.js';
import type { SealedValue } from '../../../src/platform/security/sealedValue.js';
import { sealedBefore } from '../../support/sealedBefore.js';
import { keyring, SECRET } from '../values.js';
import { startActionsApi, type ActionsApi } from '../../support/api.js';

const HOUR_MS = 3_600_000;
const URL = 'https://buyer.example/leads';
const LATER = 'another secret of the tests, long enough';

let api: ActionsApi;
beforeEach(async () => {
  // Each test has an empty database: a repair goes through all of it, once.
  api = await startActionsApi();
});
afterEach(() => api.stop());

const db = () => api.collections.buyers.db;

const stagesWith = (ring: Keyring) => {
  const log = { error: (...told: unknown[]) => expect(told).toEqual([]) };
  const deps = { collections: api.collections, keyring: ring, log };
  return [...accountStages(deps), ...peopleStages(deps)];
};

/** One run of the repair, `hours` after the first process of this release began. */
const repair = (ring: Keyring, hours: number) =>
  runStages(`resealed:${ring.keyId}`, stagesWith(ring), {
    stopping: () => false,
    repairs: createRepairStore(db()),
    clock: { ...systemClock, now: () => new Date(Date.now() + hours * HOUR_MS) },
  });

async function repairAll(ring: Keyring): Promise<number> {
  let mended = await repair(ring, 0);
  for (let run = 0; run < 4; run += 1) mended += await repair(ring, 25);
  return mended;
}

const isSealed = (value: object): value is SealedValue => 'key_id' in value && 'tag' in value;

function sealedIn(value: unknown): SealedValue[] {
  if (typeof value !== 'object' || value === null) return [];
  return isSealed(value) ? [value] : Object.values(value).flatMap(sealedIn);
}

/** Every sealed value of the database. */
async function allSealed(): Promise<SealedValue[]> {
  const names = await db().listCollections({}, { nameOnly: true }).toArray();
  const found = await Promise.all(names.map(({ name }) => db().collection(name).find().toArray()));
  return found.flat().flatMap(sealedIn);
}

/** Rewrites every sealed value as the previous release sealed it. */
async function sealAsBefore(): Promise<void> {
  const reseal: Keyring['reseal'] = (value, place) =>
    value.v === undefined ? value : sealedBefore(SECRET, keyring.open(value, place));
  for (const stage of stagesWith({ ...keyring, reseal }))
    for (let after: string | null = ''; after !== null;) after = (await stage(after)).last;
}

/** An account with a sealed value in every place. */
async function account() {
  const org = await api.org();
  const made = <T>(action: Parameters<typeof api.done>[1], input: object) =>
    api.done<T & { id: string }>(org, action, input);
  const { id: campaign_id } = await made('create_campaign', { name: 'Auto' });
  const headers = { 'X-$.Key': 'canary-own' };
  const { id: buyer_id } = await made('create_buyer', {
    name: 'Acme',
    delivery: { url: URL, headers },
  });
  await made('set_buyer_ping', { buyer_id, url: URL, headers });
  await made('add_buyer_to_campaign', { campaign_id, buyer_id });
  const delivery = { headers: { 'X-Key': 'canary-link' } };
  await made('update_campaign_buyer', { campaign_id, buyer_id, delivery });
  await made('rotate_buyer_secret', { buyer_id, secret: 'signing' });
  const { id: supplier_id, api_key } = await made<{ api_key: string }>('create_supplier', {
    name: 'Search',
  });
  const told = { trigger: 'ping.expired', action: 'WEBHOOK', target: { url: URL, headers } };
  const { id: automation_id } = await made('create_automation', told);
  await made('update_automation', { automation_id, rotate_secret: true });
  await made('create_automation', { ...told, action: 'SLACK', target: { url: URL } });
  const person_id = `per_${randomUUID()}`;
  await api.collections.people.insertOne({
    _id: person_id,
    email: 'ada@example.com',
    name: 'Ada',
    created_at: new Date(),
    epoch: 1,
    totp: { secret: keyring.seal('totp', totpPlace(person_id)), last_step: 0, backup_codes: [] },
    totp_begun: keyring.seal('begun', totpPlace(person_id)),
  });
  await api.collections.oidcSettings.insertOne({
    _id: org.id,
    issuer: 'https://id.example',
    client_id: 'leadwire',
    client_secret: keyring.seal('client', clientSecretPlace(org.id)),
    is_enabled: true,
    updated_at: new Date(),
  });
  return { org, campaign_id, buyer_id, supplier_id, api_key };
}

describe('sealed values of an earlier release', () => {
  it('work, and are bound to their places a day later, in plans too, so that no version shows a change', async () => {
    const { org, campaign_id, supplier_id, api_key } = await account();
    const history = () => api.done(org, 'get_plan_history', { campaign_id });
    const before = await history();
    const count = (await allSealed()).length;
    await sealAsBefore();
    expect((await allSealed()).filter(({ v }) => v !== undefined)).toEqual([]);
    const shown = () => api.done(org, 'get_supplier', { supplier_id, reveal_key: true });
    expect(await shown()).toMatchObject({ api_key });
    expect(await history()).toEqual(before);

    expect(await repair(keyring, 0)).toBe(0);
    expect(await repair(keyring, 23)).toBe(0);
    expect(await repairAll(keyring)).toBeGreaterThan(5);
    const after = await allSealed();
    expect([after.length, after.filter(({ v }) => v !== 1)]).toEqual([count, []]);
    expect(await history()).toEqual(before);
    expect(await shown()).toMatchObject({ api_key });
    expect(await createRepairStore(db()).isDone(`resealed:${keyring.keyId}`)).toBe(true);
  });

  it('are reverted to by a version without a change of what is sealed, whether the repair has run or not', async () => {
    const { org, campaign_id, buyer_id } = await account();
    await api.done(org, 'update_campaign_buyer', { campaign_id, buyer_id, price: 7 });
    await sealAsBefore();
    const { version } = await api.done<{ version: number }>(org, 'get_plan_history', {
      campaign_id,
    });
    const revert = () => api.done(org, 'revert_plan', { campaign_id, version: version - 1 });
    expect(await revert()).toMatchObject({ version: version + 1, still_different: [] });
    await repairAll(keyring);
    expect(await revert()).toMatchObject({ still_different: [] });
  });
});

describe('sealed values under an older secret', () => {
  it('work, and are sealed under the current one by a pass of its own', async () => {
    const { supplier_id, api_key } = await account();
    await sealAsBefore();
    await repairAll(keyring);
    const changed = createKeyring(LATER, [SECRET]);
    const keyOf = async (ring: Keyring) => {
      const supplier = await api.collections.suppliers.findOne({ _id: supplier_id });
      return supplier && ring.open(supplier.api_key, supplierKeyPlace(supplier_id));
    };
    expect(await keyOf(changed)).toBe(api_key);
    expect(await repairAll(changed)).toBeGreaterThan(5);
    expect(new Set((await allSealed()).map(({ key_id }) => key_id))).toEqual(
      new Set([changed.keyId]),
    );
    expect(await keyOf(createKeyring(LATER))).toBe(api_key);
  });
});

describe('a sealed value', () => {
  it('that was copied from another record is neither shown nor used', async () => {
    const org = await api.org();
    const make = (name: string) =>
      api.done<{ id: string; api_key: string }>(org, 'create_supplier', { name });
    const [mine, theirs] = [await make('Mine'), await make('Theirs')];
    const { suppliers } = api.collections;
    const stolen = await suppliers.findOne({ _id: theirs.id });
    await suppliers.updateOne({ _id: mine.id }, { $set: { api_key: stolen!.api_key } });
    const input = { supplier_id: mine.id, reveal_key: true };
    const { status, text } = await api.call(await org.key(), 'get_supplier', input);
    expect(status).toBe(500);
    expect(text).not.toContain(theirs.api_key);
  });
});
