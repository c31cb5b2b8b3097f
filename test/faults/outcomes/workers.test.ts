/** Changes of sold leads while workers come and go. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '../../../src/app/service.js';
import type { SaleChange } from '../../../src/outcomes/types.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { waitFor } from '../../support/waitFor.js';
import { aSoldLead, expectExact } from '../../outcomes/changes.js';

describe('changes of sold leads', () => {
  let bed: ServiceBed;
  let api: Service;
  beforeAll(async () => {
    bed = await startServiceBed();
    api = await bed.start('api');
  });
  afterAll(() => bed.stop());

  const sold = async () => {
    const lead = aSoldLead();
    await bed.collections.leads.insertOne(lead);
    return lead._id;
  };
  const change = (lead_id: string, n: number): SaleChange => ({
    id: randomUUID(),
    body_hash: `${n}`,
    org_id: 'org',
    campaign_id: 'campaign',
    lead_id,
    buyer_id: 'buyer',
    by: { kind: 'buyer' },
    ask: { kind: 'outcome', outcome: 'converted', conversion_revenue: n * 1e6 },
  });

  it('are stored without a worker, answered as unknown, and applied when a worker starts', async () => {
    const id = await sold();
    const first = change(id, 1);
    const started = performance.now();
    await expect(api.deps.saleChanges.make(first)).rejects.toMatchObject({
      code: 'outcome_unknown',
      status: 504,
      extras: { retry_after: 10 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
    const worker = await bed.start('worker');
    const made = async () =>
      (await bed.collections.outcomes.findOne({ _id: first.id ?? '' }))?.state === 'made';
    await waitFor(made, { message: 'it is made' });
    expect(await api.deps.saleChanges.make(first)).toMatchObject({
      replayed: true,
      answer: { conversion_revenue: 1e6 },
    });
    await expectExact(id, bed.collections);
    await worker.stop();
  });

  it('are each applied once by two workers of which one is killed repeatedly', async () => {
    const ids = [await sold(), await sold(), await sold()];
    const steady = await bed.start('worker');
    const changes = Array.from({ length: 300 }, (_, n) => change(ids[n % 3] ?? '', n));
    const ask = async (one: SaleChange): Promise<void> => {
      // Like a buyer: if the result is unknown, it sends the outcome again.
      await api.deps.saleChanges.make(one).catch(() => ask(one));
    };
    const asking = (async () => {
      for (let from = 0; from < changes.length; from += 20)
        await Promise.all(changes.slice(from, from + 20).map(ask));
    })();
    const killing = (async () => {
      for (let n = 0; n < 2; n += 1) {
        const victim = await bed.spawn('worker');
        victim.kill('SIGKILL');
        await victim.exited;
      }
    })();
    await Promise.all([asking, killing]);
    for (const id of ids) {
      const { changes: made } = await expectExact(id, bed.collections);
      expect(made).toHaveLength(100);
    }
    await steady.stop();
  });
});
