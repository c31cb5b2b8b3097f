/** When suppliers last used their keys: recorded with few writes, and shown. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createKeyUses } from '../../../src/account/keys/keyUses.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { createSupplier } from '../../../src/account/suppliers/suppliers.js';
import {
  createSupplierKey,
  listSupplierKeys,
} from '../../../src/account/suppliers/supplierKeys.js';
import { createCallers } from '../../../src/ingest/callers.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { Collections } from '../../../src/app/database.js';
import { hashKey } from '../../../src/platform/security/keys.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { quietLog } from '../../support/quietLog.js';

const WITHIN_MS = 5_000;
const NOON = Date.parse('2026-03-05T12:00:00Z');
const at = (seconds: number): Date => new Date(NOON + seconds * 1_000);

describe('the last use of a key', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  /** A supplier with a main and a further key. */
  const newSupplier = async () => {
    const account = accountOf({ collections: db }, (await makeOrg(db))._id);
    const { supplier, api_key: main } = await createSupplier(account, { name: 'S' });
    const { api_key: further } = await createSupplierKey(account, supplier._id, 'CRM');
    const uses = async () =>
      (await listSupplierKeys(account, supplier._id)).map(({ last_used_at }) => last_used_at);
    return { main, further, uses };
  };
  /** Another one at the same database. */
  const process = (log = quietLog, apiKeys = db.apiKeys) => {
    let now = at(0);
    const clock = { ...systemClock, now: () => now };
    const keyUses = createKeyUses({ collections: { apiKeys }, clock, log });
    const accountCache = createAccountCache(db, createPlanStore(db.plans), clock);
    const callers = createCallers({ accountCache, clock, keyUses });
    return {
      flush: keyUses.flush,
      call: async (key: string, seconds: number) => {
        now = at(seconds);
        await callers.supplier(key, WITHIN_MS);
      },
    };
  };

  it('is written for each key once, however often it was used', async () => {
    const { main, uses } = await newSupplier();
    const written: unknown[] = [];
    const counted = new Proxy(db.apiKeys, {
      get: (of, key) =>
        key === 'bulkWrite'
          ? (batch: unknown[], ...rest: []) => {
              written.push(...batch);
              return of.bulkWrite(batch as never, ...rest);
            }
          : (Reflect.get(of, key) as unknown),
    });
    const { call, flush } = process(quietLog, counted);
    for (let second = 1; second <= 50; second++) await call(main, second);
    expect(await uses()).toEqual([undefined, undefined]);
    await flush();
    expect(await uses()).toEqual([at(50), undefined]);
    expect(written).toHaveLength(1);
    await flush();
    expect(written).toHaveLength(1);
  });

  it('stays the latest one when a process that saw an earlier one writes later', async () => {
    const { further, uses } = await newSupplier();
    const [one, other] = [process(), process()];
    await one.call(further, 10);
    await other.call(further, 20);
    await other.flush();
    await one.flush();
    expect(await uses()).toEqual([undefined, at(20)]);
  });

  it('is none of a key that is refused', async () => {
    const { main } = await newSupplier();
    const { call, flush } = process();
    const unknown = `${main.slice(0, -4)}zzzz`;
    await expect(call(unknown, 1)).rejects.toMatchObject({ code: 'unauthorized' });
    await flush();
    expect(await db.apiKeys.findOne({ _id: hashKey(unknown) })).toBeNull();
  });

  it('costs no caller its answer when it cannot be written', async () => {
    const { main } = await newSupplier();
    const warned: unknown[] = [];
    const broken = { bulkWrite: () => Promise.reject(new Error('away')) };
    const { call, flush } = process({ warn: () => void warned.push('warned') }, broken as never);
    await call(main, 1);
    await flush();
    expect(warned).toHaveLength(1);
  });
});
