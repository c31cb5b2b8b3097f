import { MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import type { LeadStarter } from '../../src/distribution/starters.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';
import { intakeBed, type IntakeBedOptions } from './intakeBed.js';

const lost = () => Promise.reject(new MongoNetworkError('connection 7 to 127.0.0.1 closed'));

describe('a database that fails when a lead is stored', () => {
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

  const start = (options: IntakeBedOptions) => {
    const started = intakeBed(bed, account, options);
    beds.push(started);
    return started;
  };

  /** Leaves the leads as a run would: in this state, with this verdict. */
  const decided =
    (state: Partial<Lead>, status: 'CAPPED' | 'UNMATCHED' | 'OPEN'): LeadStarter['decide'] =>
    async (leads) => {
      const ids = leads.map(({ _id }) => _id);
      await bed.collections.leads.updateMany({ _id: { $in: ids } }, { $set: state });
      return ids.map((id) => ({ id, status }));
    };
  const capped = () =>
    decided(
      { status: 'REJECTED', run: 'run', refusal: 'supplier_capped', decided_at: new Date() },
      'CAPPED',
    );
  const atWork = decided({ run: 'run' }, 'OPEN');

  it('does not turn a cap refusal into a 503, and leaves its key usable', async () => {
    const person = aPerson();
    const free = (rows: readonly unknown[]) => (rows.length > 0 ? lost() : Promise.resolve());
    const first = start({ decide: capped(), keys: { free } });
    await expect(first.submit('capped', person)).rejects.toMatchObject({
      code: 'supplier_capped',
      message: 'This source has reached its cap on the campaign for now.',
    });
    expect(await bed.collections.leads.distinct('status')).toEqual(['REJECTED']);

    const unmatched = { status: 'UNMATCHED', run: 'run', decided_at: new Date() } as const;
    const later = start({ decide: decided(unmatched, 'UNMATCHED') });
    const again = await later.submit('capped', person);
    expect(again).toMatchObject({ data: { status: 'UNMATCHED' }, replayed: false });
    const row = await bed.collections.idempotency.findOne({ lead_id: again.leadId });
    expect(row).not.toBeNull();
  });

  it.each([
    ['within its time', { leads: { answers: lost } }],
    ['at all', { decisionPoller: { wait: lost } }],
  ])('is answered 504 when its state cannot be read %s', async (_, failing) => {
    const { submit } = start({ decide: atWork, ...failing });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('is answered 504 for a request with its key while it is being stored', async () => {
    const store = createLeadStore(bed.collections.leads);
    const person = aPerson();
    let joined: Promise<unknown> | undefined;
    const { submit } = start({
      decide: decided({ status: 'UNMATCHED', run: 'run', decided_at: new Date() }, 'UNMATCHED'),
      leads: {
        async insert(leads) {
          joined ??= submit('held', person).catch((error: unknown) => error);
          await joined;
          await store.insert(leads);
        },
      },
    });
    const first = await submit('held', person);
    expect(first).toMatchObject({ data: { status: 'UNMATCHED' }, replayed: false });
    expect(await joined).toMatchObject({ code: 'outcome_unknown' });
    expect(await submit('held', person)).toMatchObject({ leadId: first.leadId, replayed: true });
  });

  it('is answered 504 when no promise can be stored', async () => {
    const { submit } = start({ decide: atWork, leads: { promise: lost } });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it.each([
    ['withdrawn', { withdraw: lost }],
    ['looked at after it was withdrawn', { answers: lost }],
  ])('is answered 504 when it may have been started and cannot be %s', async (_, leads) => {
    const { submit } = start({ decide: () => Promise.resolve(null), leads });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('is answered 503 when it was not started, and no worker can lease it', async () => {
    const stored: string[] = [];
    const { submit } = start({
      decide: () => Promise.reject(new Error('It must not come to this.')),
      leads: {
        async insert(leads) {
          await bed.collections.leads.insertMany([...leads]);
          stored.push(...leads.map(({ _id }) => _id));
          throw new MongoNetworkError('the answer to the insert was lost');
        },
      },
    });
    await expect(submit()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await bed.collections.leads.findOne({ _id: stored[0] ?? '' })).toMatchObject({
      status: 'WITHDRAWN',
      run: null,
    });
  });

  it('is answered 504 when its workflow returns no verdict for it', async () => {
    const { submit } = start({ decide: () => Promise.resolve([]) });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('is answered 504 when it repeats one that has no lease yet', async () => {
    const untaken = await start({ decide: atWork }).submit();
    const { leads } = bed.collections;
    await leads.updateOne({ _id: untaken.leadId }, { $set: { status: 'NEW', run: null } });
    const { submit } = start({
      async decide(refs) {
        const repeat = { status: 'DUPLICATE', replay_of: untaken.leadId } as const;
        const ids = refs.map(({ _id }) => _id);
        await leads.updateMany({ _id: { $in: ids } }, { $set: repeat });
        return ids.map((id) => ({ id, ...repeat }));
      },
    });
    await expect(submit()).rejects.toMatchObject({ code: 'outcome_unknown' });
  });
});
