/** When the account is read for a request: while MongoDB grants its token, or when its group is about to be stored. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { revalidate, type Admittable } from '../../src/account/access/revalidate.js';
import { INGEST_ALLOWANCE, takeToken } from '../../src/account/access/takeToken.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import {
  createSupplier,
  deleteSupplier,
  updateSupplier,
} from '../../src/account/suppliers/suppliers.js';
import { systemClock } from '../../src/lib/clock.js';
import { hashKey } from '../../src/platform/security/keys.js';
import { createRateLimiter } from '../../src/platform/rateLimits/limiter.js';
import type { Collections } from '../../src/app/database.js';
import { openDatabase } from '../support/database.js';
import { accountOf, makeOrg } from '../support/org.js';

type Item = Admittable<{ version: number }>;

describe('the account of a request', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  const closing: (() => void)[] = [];
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(async () => {
    closing.forEach((close) => close());
    await database.drop();
  });

  /** A supplier, and a process that takes its requests and counts how often it reads the account's version. */
  async function aSupplier() {
    const org_id = (await makeOrg(db))._id;
    const { supplier, api_key } = await createSupplier(accountOf({ collections: db }, org_id), {
      name: 'S',
    });
    const cache = createAccountCache(db, createPlanStore(db.plans), systemClock);
    let reads = 0;
    const accountCache = {
      ...cache,
      refresh(orgIds: readonly string[]) {
        reads += 1;
        return cache.refresh(orgIds);
      },
    };
    const limiter = createRateLimiter({ rates: db.rates });
    closing.push(() => limiter.close());
    const keyHash = hashKey(api_key);
    const admit: (access: { version: number }) => Promise<{ version: number }> = ({ version }) =>
      Promise.resolve({ version });
    const take = () => takeToken(keyHash, INGEST_ALLOWANCE, { accountCache, limiter });
    return {
      place: { org_id, supplier_id: supplier._id },
      takeUntilOneIsLeft: async () => {
        // The second of two requests in a short time draws a token ahead.
        do await take();
        while (limiter.beginsDraw(`${INGEST_ALLOWANCE.name}:${supplier._id}`));
      },
      readsDuring: async <T>(work: () => Promise<T>): Promise<[T, number]> => {
        const before = reads;
        const result = await work();
        return [result, reads - before];
      },
      /** A request up to the moment in which its group is about to be stored. */
      request: async (): Promise<Item> => {
        const { access, isCurrent } = await take();
        return { access, isCurrent, keyHash, body: {}, admitted: await admit(access) };
      },
      check: async (...items: Item[]) => {
        const refused: Item[] = [];
        const kept = await revalidate(items, (item) => refused.push(item), { accountCache, admit });
        return { kept, refused };
      },
    };
  }

  it('is read once for a lone request, while its token is granted', async () => {
    const { request, check, readsDuring } = await aSupplier();
    await request();
    const [{ kept }, reads] = await readsDuring(async () => check(await request()));
    expect(reads).toBe(1);
    expect(kept).toHaveLength(1);
  });

  it('is read when its group is about to be stored, for a request that found a token', async () => {
    const { takeUntilOneIsLeft, request, check, readsDuring } = await aSupplier();
    await takeUntilOneIsLeft();
    const [item, taking] = await readsDuring(request);
    expect(taking).toBe(0);
    const [{ kept }, checking] = await readsDuring(() => check(item));
    expect(checking).toBe(1);
    expect(kept).toEqual([item]);
  });

  it('is read again for a request that is submitted again', async () => {
    const { request, check, readsDuring } = await aSupplier();
    const item = await request();
    await check(item);
    const [, reads] = await readsDuring(() => check(item));
    expect(reads).toBe(1);
  });

  it('contains every change that was answered before the request began', async () => {
    const { place, request, check } = await aSupplier();
    const before = await request();
    await updateSupplier(accountOf({ collections: db }, place.org_id), place.supplier_id, {
      rate_limit: { per_second: 7, burst_per_second: 14, burst_seconds: 2 },
    });
    const after = await request();
    expect(after.access.version).toBeGreaterThan(before.access.version);
    expect(after.access.rate_limit.per_second).toBe(7);
    expect((await check(after)).kept).toHaveLength(1);
  });

  it('refuses the key of a supplier that was deleted before the request began', async () => {
    const { place, request } = await aSupplier();
    await request();
    await deleteSupplier(accountOf({ collections: db }, place.org_id), place.supplier_id);
    await expect(request()).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
