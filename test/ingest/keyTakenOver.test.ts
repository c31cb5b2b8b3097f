import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { createIdempotencyStore } from '../../src/ingest/store/idempotency.js';
import type { LeadStarter } from '../../src/distribution/starters.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';
import { intakeBed, type IntakeBedOptions } from './intakeBed.js';

describe('an Idempotency-Key whose first request was not accepted', () => {
  let bed: ServiceBed;
  let account: TestAccount;
  const beds: { close(): void }[] = [];

  beforeAll(async () => {
    bed = await startServiceBed();
    account = await createAccount(bed, { buyers: {} });
  });
  afterAll(async () => {
    beds.forEach((one) => one.close());
    await bed.stop();
  });

  const start = (options: Partial<IntakeBedOptions> = {}) => {
    const started = intakeBed(bed, account, { decide: unmatched, ...options });
    beds.push(started);
    return started;
  };
  const unmatched: LeadStarter['decide'] = async (leads) => {
    const ids = leads.map(({ _id }) => _id);
    const decided = { status: 'UNMATCHED', run: 'run', decided_at: new Date() } as const;
    await bed.collections.leads.updateMany({ _id: { $in: ids }, status: 'NEW' }, { $set: decided });
    return ids.map((id) => ({ id, status: 'UNMATCHED' }));
  };
  const noServer: LeadStarter['decide'] = () => Promise.reject(new Error('no server'));
  /** Its leads are withdrawn, but their keys stay: the process that frees them has died. */
  const dead = { decide: noServer, keys: { free: () => Promise.resolve() } };
  /** The leads stored under a key, and whether its row names them. */
  const leadOf = async (key: string) => {
    const rows = await bed.collections.idempotency.find({ lead_id: { $exists: true } }).toArray();
    const ids = rows.map(({ lead_id }) => lead_id);
    const leads = await bed.collections.leads
      .find({ idempotency_id: { $exists: true }, 'extra.key': key, status: 'UNMATCHED' })
      .toArray();
    return {
      leads: leads.map(({ _id }) => _id),
      named: leads.every(({ _id }) => ids.includes(_id)),
    };
  };
  const renamed = () =>
    updateCampaign(accountOf(bed, account.orgId), account.campaignId, { name: randomUUID() });

  it('names the lead that is accepted instead, when the account changes in between', async () => {
    const person = { ...aPerson(), key: 'renamed' };
    const store = createIdempotencyStore(bed.collections.idempotency);
    await expect(start(dead).submit('renamed', person)).rejects.toMatchObject({
      code: 'unavailable',
    });
    let replaced = 0;
    const { submit } = start({
      keys: {
        async replace(row, by) {
          const done = await store.replace(row, by);
          replaced += 1;
          await renamed();
          return done;
        },
      },
    });
    const answer = await submit('renamed', person);
    expect({ replaced, answer }).toMatchObject({
      replaced: 1,
      answer: { data: { status: 'UNMATCHED' }, replayed: false },
    });
    expect(await leadOf('renamed')).toEqual({ leads: [answer.leadId], named: true });
    const again = await submit('renamed', person);
    expect(again).toMatchObject({ leadId: answer.leadId, replayed: true });
  });

  it('is free when the account refuses the request that has taken it over', async () => {
    const person = { ...aPerson(), key: 'paused' };
    const store = createIdempotencyStore(bed.collections.idempotency);
    await expect(start(dead).submit('paused', person)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const set = (status: 'PAUSED' | 'ACTIVE') =>
      updateCampaign(accountOf(bed, account.orgId), account.campaignId, { status });
    const { submit } = start({
      keys: {
        async replace(row, by) {
          const done = await store.replace(row, by);
          await set('PAUSED');
          return done;
        },
      },
    });
    const refused = await submit('paused', person).catch((error: unknown) => error);
    await set('ACTIVE');
    expect(refused).toMatchObject({ code: 'campaign_paused' });
    const answer = await start().submit('paused', person);
    expect(answer).toMatchObject({ data: { status: 'UNMATCHED' }, replayed: false });
  });

  it('is answered 504 when another request has taken it over at the same moment', async () => {
    const person = aPerson();
    await expect(start(dead).submit('faster', person)).rejects.toMatchObject({
      code: 'unavailable',
    });
    const slower = start({ keys: { replace: () => Promise.resolve(false) } });
    await expect(slower.submit('faster', person)).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
  });

  it('sells one lead, however many requests race for it while the account changes', async () => {
    for (let round = 0; round < 8; round++) {
      const key = `race-${round}`;
      const person = { ...aPerson(), key };
      const racing = [start(), start(), start({ decide: noServer })];
      const answers = Promise.allSettled(
        Array.from({ length: 4 }, () => racing.map((one) => one.submit(key, person))).flat(),
      );
      await renamed();
      const told = (await answers).flatMap((one) =>
        one.status === 'fulfilled' ? [one.value.leadId] : [],
      );
      const { leads, named } = await leadOf(key);
      expect({ leads: leads.length <= 1, named }).toEqual({ leads: true, named: true });
      expect(told.every((leadId) => leadId === leads[0])).toBe(true);
      const later = await start().submit(key, person);
      expect(later.leadId).toBe((await leadOf(key)).leads[0]);
      expect((await leadOf(key)).leads).toHaveLength(1);
    }
  });
});
