import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed } from '../support/service.js';
import { aPerson, supplierOf, tally } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

const LEADS = 12;
/** Longer than a process with a skewed clock could take anything for expired. */
const TIMEOUT_MS = 120_000;

/** A process started with this reads a wall clock that is ahead by the given time. */
const ahead = (ms: number): Record<string, string> => {
  const source =
    `const Real = Date; globalThis.Date = class Date extends Real {` +
    `constructor(...of) { if (of.length === 0) super(Real.now() + ${ms}); else super(...of); }` +
    `static now() { return Real.now() + ${ms}; } };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
};

describe('processes whose clocks differ', () => {
  let buyer: FakeBuyer;
  let isDown = false;

  beforeAll(async () => {
    buyer = await startFakeBuyer(({ path }) => {
      return path === '/down' && isDown ? { status: 503, body: {} } : YES;
    });
  });
  afterAll(() => buyer.stop());

  it.each([
    { api: 0, worker: 5_000, delivery: -5_000 },
    { api: 5_000, worker: -60_000, delivery: 60_000 },
    { api: -60_000, worker: 60_000, delivery: 0 },
  ])(
    'sell each lead once, at once or when its buyer is back: %o ms ahead',
    async (skews) => {
      const bed = await startServiceBed();
      try {
        const url = `${buyer.url}/only`;
        const account = await createAccount(bed, { buyers: { only: { delivery: { url } } } });
        const waiting = await createAccount(bed, {
          buyers: { down: { delivery: { url: `${buyer.url}/down` } } },
        });
        isDown = true;
        const [api] = await Promise.all([
          bed.spawn('api', ahead(skews.api)),
          bed.spawn('worker', ahead(skews.worker)),
          bed.spawn('delivery', ahead(skews.delivery)),
        ]);
        const supplier = supplierOf(api.url, account);
        const other = supplierOf(api.url, waiting);
        const begun = Date.now();
        const people = Array.from({ length: LEADS }, () => aPerson());
        const answers = await Promise.all(
          people.map((person, n) =>
            supplier.post(person, { headers: { 'idempotency-key': `${api.pid}-${n}` } }),
          ),
        );
        expect(tally(answers.map(({ data }) => data?.delivery))).toEqual({ delivered: LEADS });
        const again = await supplier.post(people[0], {
          headers: { 'idempotency-key': `${api.pid}-0` },
        });
        expect(again.body).toEqual(answers[0]?.body);
        const parked = await other.post();
        expect(parked.data?.delivery).toBe('pending');
        isDown = false;
        const id = parked.data?.id ?? '';
        const statusOf = async () => (await bed.collections.leads.findOne({ _id: id }))?.status;
        await waitFor(async () => (await statusOf()) === 'ACCEPTED', {
          message: 'it is sold',
          timeoutMs: 60_000,
        });
        await Promise.all([supplier.close(), other.close()]);

        const sold = answers.map(({ data }) => data?.id ?? '');
        const leads = await bed.collections.leads.find({ _id: { $in: [...sold, id] } }).toArray();
        expect(tally(leads.map(({ status, sales }) => `${status} ${sales.length}`))).toEqual({
          'ACCEPTED 1': LEADS + 1,
        });
        expect(buyer.accepted().filter((one) => [...sold, id].includes(one))).toHaveLength(
          LEADS + 1,
        );
        // All stored times come from one clock.
        const times = leads.flatMap(({ created_at, decided_at }) => [created_at, decided_at]);
        for (const time of times) {
          expect(Number(time)).toBeGreaterThan(begun - 2_000);
          expect(Number(time)).toBeLessThan(Date.now() + 2_000);
        }
      } finally {
        await bed.stop();
      }
    },
    TIMEOUT_MS,
  );
});
