import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryDoc, DeliveryState } from '../../../src/deliveries/store/deliveryDoc.js';
import {
  createDeliveryStore,
  type DeliveryStore,
} from '../../../src/deliveries/store/deliveries.js';
import { after, aRow, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const ENDED: DeliveryState[] = ['accepted', 'rejected', 'failed', 'abandoned', 'expired'];

describe('deliveries', () => {
  let database: TestDatabase;
  let deliveries: DeliveryStore;

  beforeAll(async () => {
    database = await openDatabase();
    deliveries = createDeliveryStore(database.collections.deliveries);
  });
  afterAll(() => database.drop());

  const stored = async (overrides: Partial<DeliveryDoc> = {}): Promise<string> => {
    const row = aRow(overrides);
    await database.collections.deliveries.insertOne(row);
    return row._id;
  };
  const rowOf = (id: string) => database.collections.deliveries.findOne({ _id: id });
  const stateOf = async (id: string) => (await rowOf(id))?.state;
  const idsOf = (rows: readonly DeliveryDoc[]) => rows.map((row) => row._id);

  describe('opening', () => {
    it('returns existing rows, and leaves them unchanged', async () => {
      const theirs = aRow({ run: 'theirs', buyer_id: 'their-buyer', fence: 3 });
      const mine = aRow();
      expect(await deliveries.insertAttempts([theirs])).toEqual(new Map());
      const refused = await deliveries.insertAttempts([{ ...theirs, run: 'mine' }, mine]);
      const standing = { buyer_id: 'their-buyer', fence: 3 };
      expect(refused).toEqual(new Map([[theirs._id, standing]]));
      expect(await rowOf(theirs._id)).toMatchObject({ run: 'theirs' });
      expect(await rowOf(mine._id)).toEqual(mine);
    });

    it('gives one of 20 leases the permission to send', async () => {
      const row = aRow();
      const refused = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          deliveries.insertAttempts([{ ...row, run: `run-${n}` }]),
        ),
      );
      expect(refused.filter((rows) => rows.size === 0)).toHaveLength(1);
    });

    it('counts the rows of the same run as opened when the call is repeated', async () => {
      const [again, fresh] = [aRow(), aRow()];
      await deliveries.insertAttempts([again]);
      expect(await deliveries.insertAttempts([again, fresh])).toEqual(new Map());
      expect(await rowOf(fresh._id)).toEqual(fresh);
    });

    it('accepts an empty list of rows', async () => {
      expect(await deliveries.insertAttempts([])).toEqual(new Map());
    });
  });

  describe('settling', () => {
    it("writes the results of a lease's own rows", async () => {
      const id = await stored();
      const set = { http_status: 422, latency_ms: 12, reason: 'refused', excerpt: 'no' };
      expect(await deliveries.settle('run-1', [{ id, state: 'rejected', set }], NOW)).toEqual(
        new Set([id]),
      );
      expect(await rowOf(id)).toMatchObject({ state: 'rejected', settled_at: NOW, ...set });
    });

    it.each(['rejected', 'failed', 'unknown', 'parked', 'abandoned'] as const)(
      'ignores %s from a run that lost the row',
      async (state) => {
        const id = await stored({ run: 'run-2' });
        expect(await deliveries.settle('run-1', [{ id, state }], NOW)).toEqual(new Set());
        expect(await stateOf(id)).toBe('sending');
      },
    );

    it.each(['sending', 'unknown', 'parked'] as const)(
      'accepts an acceptance for a row that is %s, from any lease',
      async (state) => {
        const id = await stored({ run: 'run-2', state });
        expect(await deliveries.settle('run-1', [{ id, state: 'accepted' }], NOW)).toEqual(
          new Set([id]),
        );
        // Marked, so that its lead is checked again.
        expect(await rowOf(id)).toMatchObject({ state: 'accepted', unbooked: true });
      },
    );

    it("does not mark the acceptance of a run's own request", async () => {
      const id = await stored();
      await deliveries.settle('run-1', [{ id, state: 'accepted' }], NOW);
      expect(await rowOf(id)).toMatchObject({ state: 'accepted' });
      expect(await rowOf(id)).not.toHaveProperty('unbooked');
    });

    it.each(['rejected', 'failed', 'abandoned', 'expired'] as const)(
      'does not turn a row that is %s into a sale',
      async (state) => {
        const id = await stored({ state });
        expect(await deliveries.settle('run-1', [{ id, state: 'accepted' }], NOW)).toEqual(
          new Set(),
        );
        expect(await stateOf(id)).toBe(state);
      },
    );

    it('is idempotent', async () => {
      const [yes, no] = [await stored(), await stored()];
      const results = [
        { id: yes, state: 'accepted' as const },
        { id: no, state: 'rejected' as const },
      ];
      await deliveries.settle('run-1', results, NOW);
      expect(await deliveries.settle('run-1', results, after(5))).toEqual(new Set([yes, no]));
      expect((await rowOf(no))?.settled_at).toEqual(NOW);
    });

    it('returns the rows that it changed', async () => {
      const [mine, lost] = [await stored(), await stored({ run: 'run-2' })];
      const results = [mine, lost].map((id) => ({ id, state: 'failed' as const }));
      expect(await deliveries.settle('run-1', results, NOW)).toEqual(new Set([mine]));
    });
  });

  it('abandons rows whose answer can no longer arrive, and takes them from their lease', async () => {
    const [late, unknown, open, ended] = [
      await stored({ answer_by: NOW }),
      await stored({ answer_by: NOW, state: 'unknown' }),
      await stored({ answer_by: after(1) }),
      await stored({ answer_by: NOW, state: 'accepted' }),
    ];
    await deliveries.endUnanswered([late, unknown, open, ended], 'run-2', NOW);
    expect(await rowOf(late)).toMatchObject({ state: 'unknown', run: 'run-2' });
    expect(await rowOf(unknown)).toMatchObject({ state: 'unknown', run: 'run-2' });
    expect(await rowOf(open)).toMatchObject({ state: 'sending', run: 'run-1' });
    expect(await stateOf(ended)).toBe('accepted');
    await deliveries.settle('run-1', [{ id: late, state: 'rejected' }], NOW);
    expect(await stateOf(late)).toBe('unknown');
  });

  it('parks only failed rows of the run, and returns the parked ones', async () => {
    const mine = await stored({ state: 'failed' });
    const theirs = await stored({ state: 'failed', run: 'run-2' });
    const others = await Promise.all(
      (['sending', 'unknown', 'accepted', 'rejected'] as const).map((state) => stored({ state })),
    );
    const reserved = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
    const park = (run: string, ...ids: string[]) =>
      deliveries.park(
        ids.map((id) => ({ id, reserved, due_at: after(1), cost: 3, further: true })),
        run,
      );
    expect(await park('run-1', mine, theirs, ...others)).toEqual(new Set([mine]));
    expect(await rowOf(theirs)).toMatchObject({ state: 'failed', run: 'run-2' });
    const parked = { state: 'parked', reserved, due_at: after(1), cost: 3, further: true };
    expect(await rowOf(mine)).toMatchObject({ ...parked, run: 'run-1' });
    expect(await park('run-1', mine)).toEqual(new Set([mine]));
  });

  it('puts off only parked rows', async () => {
    const [parked, sold] = [await stored({ state: 'parked' }), await stored({ state: 'accepted' })];
    await deliveries.putOff([parked, sold], after(1));
    expect(await rowOf(parked)).toMatchObject({ state: 'parked', due_at: after(1) });
    expect(await rowOf(sold)).not.toMatchObject({ due_at: after(1) });
  });

  describe('sending again', () => {
    const times = { send_by: after(1_000), answer_by: after(6_000) };
    const reserved = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
    const again = (...ids: string[]) => ids.map((id) => ({ id, reserved, sent_to: 'WEBHOOK u' }));

    it('acquires only parked rows', async () => {
      const parked = await stored({ state: 'parked', tries: 2 });
      const others = await Promise.all(
        (['sending', 'unknown', ...ENDED] as const).map((state) => stored({ state })),
      );
      expect(await deliveries.resend(again(parked, ...others), 'run-2', times)).toEqual(
        new Set([parked]),
      );
      expect(await rowOf(parked)).toMatchObject({
        state: 'sending',
        run: 'run-2',
        tries: 3,
        reserved,
        sent_to: 'WEBHOOK u',
        ...times,
      });
    });

    it('acquires nothing without ids', async () => {
      expect(await deliveries.resend([], 'run-2', times)).toEqual(new Set());
    });

    it('gives a row to one of 20 leases', async () => {
      const id = await stored({ state: 'parked' });
      const runs = Array.from({ length: 20 }, (_, n) => `racing-${n}`);
      const taken = await Promise.all(runs.map((run) => deliveries.resend(again(id), run, times)));
      expect(taken.filter((ids) => ids.has(id))).toHaveLength(1);
      expect((await rowOf(id))?.tries).toBe(2);
    });
  });

  it('lists the attempts of leads in order', async () => {
    const lead_id = randomUUID();
    const third = await stored({ lead_id, n: 3 });
    const first = await stored({ lead_id, n: 1 });
    const second = await stored({ lead_id, n: 2 });
    const found = await deliveries.ofLeads([lead_id, randomUUID()]);
    expect([...found.keys()]).toEqual([lead_id]);
    expect(idsOf(found.get(lead_id) ?? [])).toEqual([first, second, third]);
  });

  it('takes over only the failed attempts of leads that the lease holds', async () => {
    const lead_id = randomUUID();
    await stored({ lead_id, n: 1, state: 'failed' });
    await stored({ lead_id, n: 2, state: 'parked' });
    await stored({ lead_id, n: 3 });
    const another = await stored({ state: 'failed' });
    const found = await deliveries.acquireRows([lead_id], 'run-2');
    expect(found.get(lead_id)?.map(({ n, state, run }) => [n, state, run])).toEqual([
      [1, 'failed', 'run-2'],
      [2, 'parked', 'run-1'],
      [3, 'sending', 'run-1'],
    ]);
    expect(await rowOf(another)).toMatchObject({ run: 'run-1' });
  });
});
