/** Changes that are applied in the process that stored them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChangesResult } from '../../workflows/messages.js';
import type { Deps } from '../../src/app/deps.js';
import { createLocalRecorder, type RecordHereDeps } from '../../src/outcomes/outcomeStarter.js';
import { createOutcomeStore } from '../../src/outcomes/store/outcomes.js';
import type { SaleChange } from '../../src/outcomes/types.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { failFirst, waitUntilCompleted } from '../support/firstTasks.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aChange, applyDeps, aSoldLead, expectExact } from './changes.js';

describe('a process that applies the changes it stored', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const SOON = Date.now() + 60_000;
  const sold = async () => {
    const lead = aSoldLead();
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };
  const stored = async (...changes: ReturnType<typeof aChange>[]) => {
    await createOutcomeStore(database.collections.outcomes).insert(changes);
    return changes;
  };
  /** @param startHere what Temporal answers */
  function aRecorder(startHere: () => Promise<void>) {
    const runs = new Map<string, Promise<ChangesResult>>();
    const deps: RecordHereDeps = {
      ...applyDeps(database.collections),
      localRuns: { expect: (workflowId, result) => runs.set(workflowId, result) },
      starter: {
        startHere(_changes, _deadline, onId) {
          onId('workflow');
          return startHere();
        },
      },
    };
    return { recorder: createLocalRecorder(deps), resultOf: () => runs.get('workflow') };
  }

  it('hands its workflow those whose buyer has no sale, and applies the others', async () => {
    const id = await sold();
    const [ready, early] = await stored(aChange(id), aChange(id, { buyer_id: 'stranger' }));
    if (!ready || !early) throw new Error('two changes were stored');
    const { recorder, resultOf } = aRecorder(() => Promise.resolve());
    await recorder.record([ready, early], SOON);
    expect(await resultOf()).toEqual({ open: [{ id: early._id, lead_id: id }] });
    const { outcomes } = database.collections;
    expect(await outcomes.findOne({ _id: ready._id })).toMatchObject({ state: 'made', seq: 1 });
    expect(await outcomes.findOne({ _id: early._id })).toMatchObject({ state: 'open' });
  });

  it('has applied them when the start of their workflow fails, and says that it failed', async () => {
    const id = await sold();
    const changes = await stored(aChange(id));
    const { recorder } = aRecorder(() => Promise.reject(new Error('Temporal is down')));
    await expect(recorder.record(changes, SOON)).rejects.toThrow('Temporal is down');
    await expectExact(id, database.collections);
  });

  it('gives its workflow the failure when MongoDB fails, so that the workflow tries again', async () => {
    const { recorder, resultOf } = aRecorder(() => Promise.resolve());
    // MongoDB rejects a lead id that is longer than a document may be.
    const tooLong = aChange('x'.repeat(17_000_000));
    await expect(recorder.record([tooLong], SOON)).rejects.toThrow();
    await expect(resultOf()).rejects.toThrow();
  });
});

type Take = Deps['localChanges']['take'];

describe.each<{ title: string; take: Take }>([
  // As if another process had the task, or this one no longer knew that it applies the group already.
  { title: 'applies them once more', take: () => undefined },
  { title: 'fails', take: failFirst() },
])('changes that are applied here while the first task of their workflow $title', ({ take }) => {
  let bed: ServiceBed;
  let deps: Deps;
  beforeAll(async () => {
    bed = await startServiceBed();
    const alter = (built: Deps): Deps => ({
      ...built,
      localChanges: { ...built.localChanges, take },
    });
    ({ deps } = await bed.start('intake', {}, { alter }));
  });
  afterEach(() => bed.collections.outcomes.deleteMany({}));
  afterAll(() => bed.stop());

  const LEADS = 3;
  const CHANGES = 60;

  it('are each applied once, and their workflows end', async () => {
    const campaign_id = randomUUID();
    const leads = Array.from({ length: LEADS }, () => aSoldLead({ campaign_id }));
    await bed.collections.leads.insertMany(leads);
    const change = (n: number): SaleChange => ({
      id: randomUUID(),
      body_hash: `${n}`,
      org_id: 'org',
      campaign_id,
      lead_id: leads[n % LEADS]?._id ?? '',
      buyer_id: 'buyer',
      by: { kind: 'buyer' },
      ask: { kind: 'outcome', outcome: 'converted', conversion_revenue: n * 1e6 },
    });
    const answers = await Promise.all(
      Array.from({ length: CHANGES }, (_, n) => deps.saleChanges.make(change(n))),
    );
    expect(answers.map(({ replayed }) => replayed)).toEqual(answers.map(() => false));
    for (const { _id } of leads) {
      const { changes } = await expectExact(_id, bed.collections);
      expect(changes).toHaveLength(CHANGES / LEADS);
    }
    const own = `WorkflowType = 'recordOutcomes' AND CampaignId = '${campaign_id}'`;
    await waitUntilCompleted(deps.client, own);
  });
});
