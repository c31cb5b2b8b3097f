/** Leads are decided in the process that accepted them, under a workflow that any other process can continue. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import type { Deps } from '../../src/app/deps.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { LEAD_ID } from '../../src/platform/temporal/names.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

describe('a process that accepts leads and decides them', () => {
  let testbed: Testbed;
  /** Runs before a run acquires leads that this process has stored. */
  let onAcquire: (ids: readonly string[]) => Promise<void>;
  /** Runs before each insertion. */
  let onInsert: () => Promise<unknown>;
  let isStarted: boolean;
  let starts: number;
  let isStored: boolean;
  let isJoined: boolean;
  let acquired: string[];
  let inserted: Lead[];

  const alter = (deps: Deps): Deps => ({
    ...deps,
    starter: {
      ...deps.starter,
      async startHere(leads, ...rest) {
        starts += 1;
        if (!isStarted) throw new Error('Temporal is away');
        await deps.starter.startHere(leads, ...rest);
      },
    },
    localRuns: {
      ...deps.localRuns,
      take: (workflowId) => (isJoined ? deps.localRuns.take(workflowId) : undefined),
    },
    leads: {
      ...deps.leads,
      acquire(ids, ...rest) {
        acquired.push(...ids);
        return deps.leads.acquire(ids, ...rest);
      },
      async acquireStored(stored, ...rest) {
        await onAcquire(stored.map(({ _id }) => _id));
        return deps.leads.acquireStored(stored, ...rest);
      },
      async insert(leads) {
        inserted.push(...leads);
        await onInsert();
        if (!isStored) throw new Error('the leads cannot be stored');
        await deps.leads.insert(leads);
      },
    },
  });

  beforeAll(async () => {
    testbed = await startTestbed({ alter });
    reset();
    // The first task of a process's first workflow may come too late, and is then run again: the lead would be read.
    const { id } = await (await testbed.market()).post(aPerson());
    await (await workflowOf(id)).result();
  });
  const reset = () => {
    onAcquire = () => Promise.resolve();
    onInsert = () => Promise.resolve();
    [isStarted, starts, isStored, isJoined] = [true, 0, true, true];
    [acquired, inserted] = [[], []];
  };
  beforeEach(reset);
  afterAll(() => testbed.stop());

  const workflowOf = async (leadId: string) => {
    const { client } = testbed.service.deps;
    const query = `${LEAD_ID.name} = '${leadId}'`;
    const found = async () => {
      for await (const { workflowId } of client.workflow.list({ query })) return workflowId;
      return undefined;
    };
    const id = await waitFor(found, { message: 'the workflow can be found' });
    return client.workflow.getHandle(id);
  };

  /** A workflow that goes on would acquire its lead in the next test, where that counts. */
  const ended = async (leadId: string): Promise<void> => {
    await (await workflowOf(leadId)).result();
  };

  it('sells a lead without reading it again, and its workflow gets the result of that run', async () => {
    const market = await testbed.market();
    const { status, id } = await market.post(aPerson());
    expect(status).toBe(201);
    await (await workflowOf(id)).result();
    expect(acquired).toEqual([]);
    expect(await testbed.lead(id)).toMatchObject({ status: 'ACCEPTED', takes: 1 });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('has its stored leads in memory', async () => {
    const market = await testbed.market();
    const odd = { first_name: 'Zoë \u{1f600}', note: 'x\u2028y \u0301', sub_id: '007', empty: '' };
    const { id } = await market.post({ ...aPerson(), ...odd });
    const [lead] = inserted.filter(({ _id }) => _id === id);
    expect(lead).toBeDefined();
    expect(lead).toStrictEqual(BSON.deserialize(BSON.serialize(lead ?? {})));
    await ended(id);
  });

  it('sells a lead once when its workflow is run by another process', async () => {
    isJoined = false;
    const market = await testbed.market();
    const { status, id } = await market.post(aPerson());
    expect(status).toBe(201);
    await (await workflowOf(id)).result();
    expect(new Set(acquired)).toEqual(new Set([id]));
    expect(await testbed.lead(id)).toMatchObject({ status: 'ACCEPTED', takes: 1 });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('inserts a lead leased to its run, except where a request with the same key may read it before its workflow is started', async () => {
    const market = await testbed.market();
    const own = await market.post(aPerson());
    const keyed = await market.post(aPerson(), { headers: { 'idempotency-key': 'k1' } });
    const [first, second] = [own, keyed].map(({ id }) => inserted.find(({ _id }) => _id === id));
    expect(first).toMatchObject({ status: 'NEW', run: expect.any(String), takes: 1 });
    expect(second).toMatchObject({ status: 'NEW', run: null, takes: 0 });
    expect(await testbed.lead(keyed.id)).toMatchObject({ status: 'ACCEPTED', takes: 1 });
    await Promise.all([ended(own.id), ended(keyed.id)]);
  });

  it('starts the workflow of a lead with a key before it is stored, and ends it when it is not', async () => {
    const market = await testbed.market();
    onInsert = () => waitFor(() => starts === 1, { message: 'the workflow is started' });
    const keyed = await market.post(aPerson(), { headers: { 'idempotency-key': 'k3' } });
    expect([keyed.status, starts]).toEqual([201, 1]);
    await ended(keyed.id);
    reset();
    isStored = false;
    expect((await market.post(aPerson(), { headers: { 'idempotency-key': 'k4' } })).status).toBe(
      503,
    );
    const [id = ''] = inserted.map(({ _id }) => _id);
    await ended(id);
    expect(await testbed.lead(id)).toMatchObject({ status: 'WITHDRAWN', run: null });
    expect(acquired).toEqual([]);
  });

  it('leaves a lead with a key to the faster run, and answers with its decision', async () => {
    const market = await testbed.market();
    isJoined = false;
    onAcquire = async (ids) => {
      const { leads } = testbed.service.deps.collections;
      await leads.updateMany(
        { _id: { $in: ids } },
        { $set: { run: 'another', lease_until: new Date(Date.now() + 300) }, $inc: { takes: 1 } },
      );
    };
    const { status, id } = await market.post(aPerson(), { headers: { 'idempotency-key': 'k2' } });
    expect(status).toBe(201);
    await (await workflowOf(id)).result();
    expect(await testbed.lead(id)).toMatchObject({ status: 'ACCEPTED', takes: 2 });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('refuses a lead that cannot be stored, and its workflow ends without it', async () => {
    const market = await testbed.market();
    isStored = false;
    expect((await market.post(aPerson())).status).toBe(503);
    const [id = ''] = inserted.map(({ _id }) => _id);
    await (await workflowOf(id)).result();
    expect(await market.leads()).toMatchObject([{ _id: id, status: 'WITHDRAWN', run: null }]);
    expect(acquired).toEqual([]);
  });

  it('keeps to its refusal of a lead whose insertion takes effect after it', async () => {
    const market = await testbed.market();
    const refused = Promise.withResolvers<unknown>();
    let stored: Promise<unknown> | undefined;
    onInsert = () => (stored = refused.promise);
    expect((await market.post(aPerson())).status).toBe(503);
    refused.resolve(undefined);
    await stored;
    const [id = ''] = inserted.map(({ _id }) => _id);
    await (await workflowOf(id)).result();
    const { leads } = testbed.service.deps;
    await leads.insert(inserted);
    expect(await testbed.lead(id)).toMatchObject({ status: 'WITHDRAWN', run: null });
    expect(market.sentTo('only')).toEqual([]);
  });

  it('sells a lead that is stored after another process looked for it', async () => {
    isJoined = false;
    const market = await testbed.market();
    onInsert = () => waitFor(() => acquired.length > 0, { message: 'the workflow looks for it' });
    const { status, id } = await market.post(aPerson());
    expect(status).toBe(201);
    await (await workflowOf(id)).result();
    expect(await testbed.lead(id)).toMatchObject({ status: 'ACCEPTED' });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('withdraws a lead when its workflow cannot be started, and the next one like it is no duplicate', async () => {
    const market = await testbed.market();
    const person = aPerson();
    isStarted = false;
    expect((await market.post(person)).status).toBe(503);
    const [lead] = await market.leads();
    expect(lead).toMatchObject({ status: 'WITHDRAWN', run: null });
    expect(await testbed.collections.claims.countDocuments({ lead_id: lead?._id ?? '' })).toBe(0);
    expect(market.sentTo('only')).toEqual([]);
    isStarted = true;
    expect(await market.post(person)).toMatchObject({
      status: 201,
      data: { status: 'ACCEPTED' },
    });
  });
});
