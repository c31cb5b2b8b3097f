/** What is stored of a supplier's keys during a rotation. */
import { supplierKeyPlace } from '../../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSupplierKey } from '../../../src/account/suppliers/rotateSupplierKey.js';
import { createSupplier, deleteSupplier } from '../../../src/account/suppliers/suppliers.js';
import { hashKey } from '../../../src/platform/security/keys.js';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import type { Collections } from '../../../src/app/database.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { keyring, refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

const HOUR_MS = 3_600_000;

describe('rotating the key of a supplier', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  const newSupplier = async () => {
    const org_id = (await makeOrg(db))._id;
    const { supplier, api_key } = await createSupplier(accountOf({ collections: db }, org_id), {
      name: 'S',
    });
    const place = { org_id, supplier_id: supplier._id };
    let now = new Date();
    /** A process: its cache is refreshed only when the account has another version. */
    const process = () => {
      const accountCache = createAccountCache(db, createPlanStore(db.plans), { now: () => now });
      return async (key: string) => {
        await accountCache.refresh([org_id]);
        return (await accountCache.supplierByKey(hashKey(key)))?.supplier_id === supplier._id;
      };
    };
    return {
      place,
      api_key,
      accepts: [process(), process()],
      pass: (hours: number) => (now = new Date(Number(now) + hours * HOUR_MS)),
      rotate: async (overlapHours: number) =>
        (
          await rotateSupplierKey(
            accountOf({ collections: db, clock: { now: () => now } }, place.org_id),
            place.supplier_id,
            { overlapHours },
          )
        ).api_key,
    };
  };
  type Made = Awaited<ReturnType<typeof newSupplier>>;
  /** Which of the keys are accepted; both processes must agree. */
  const accepted = async ({ accepts }: Made, ...keys: string[]) => {
    const [one, other] = await Promise.all(
      accepts.map((accept) => Promise.all(keys.map((key) => accept(key)))),
    );
    expect(one).toEqual(other);
    return one;
  };

  it('accepts the old one until the overlap ends, in every process', async () => {
    const made = await newSupplier();
    expect(await accepted(made, made.api_key)).toEqual([true]);
    const next = await made.rotate(24);
    expect(await accepted(made, made.api_key, next)).toEqual([true, true]);
    const version = await db.versions.findOne({ _id: made.place.org_id });
    made.pass(23.99);
    expect(await accepted(made, made.api_key, next)).toEqual([true, true]);
    made.pass(0.02);
    expect(await accepted(made, made.api_key, next)).toEqual([false, true]);
    // No process was notified: each remembers the key and its end.
    expect(await db.versions.findOne({ _id: made.place.org_id })).toEqual(version);
  });

  it('refuses the old one at once without an overlap, and never accepts more than two', async () => {
    const made = await newSupplier();
    expect(await accepted(made, made.api_key)).toEqual([true]);
    const second = await made.rotate(0);
    expect(await accepted(made, made.api_key, second)).toEqual([false, true]);
    const third = await made.rotate(168);
    const fourth = await made.rotate(1);
    expect(await accepted(made, made.api_key, second, third, fourth)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const last = await made.rotate(0);
    expect(await accepted(made, second, third, fourth, last)).toEqual([false, false, false, true]);
    made.pass(1_000);
    expect(await accepted(made, last)).toEqual([true]);
  });

  it('leaves one current key and one that ends, however many rotate at once', async () => {
    const made = await newSupplier();
    const keys = await Promise.all(Array.from({ length: 8 }, () => made.rotate(2)));
    const live = await accepted(made, made.api_key, ...keys);
    expect(live?.filter(Boolean)).toHaveLength(2);
    const supplier = await db.suppliers.findOne({ _id: made.place.supplier_id });
    const current = supplier ? keyring.open(supplier.api_key, supplierKeyPlace(supplier._id)) : '';
    made.pass(3);
    const left = [made.api_key, ...keys].filter((_, n) => live?.[n]);
    const after = await accepted(made, ...left);
    expect(left.filter((_, n) => after?.[n])).toEqual([current]);
  });

  it('ends both when the supplier is deleted, also during a rotation', async () => {
    const made = await newSupplier();
    const second = await made.rotate(5);
    const [raced] = await Promise.all([
      made.rotate(5).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'not_found' });
        return null;
      }),
      deleteSupplier(accountOf({ collections: db }, made.place.org_id), made.place.supplier_id),
    ]);
    const keys = [made.api_key, second, ...(raced ? [raced] : [])];
    expect(await accepted(made, ...keys)).toEqual(keys.map(() => false));
    await expect(made.rotate(1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stores nothing of an interrupted rotation', async () => {
    const made = await newSupplier();
    const apiKeys = Object.create(db.apiKeys) as Collections['apiKeys'];
    apiKeys.insertOne = () => Promise.reject(new Error('killed'));
    const now = new Date();
    const dying = rotateSupplierKey(
      accountOf({ collections: { ...db, apiKeys }, clock: { now: () => now } }, made.place.org_id),
      made.place.supplier_id,
      {
        overlapHours: 0,
      },
    );
    await expect(dying).rejects.toThrow('killed');
    expect(await accepted(made, made.api_key)).toEqual([true]);
    const supplier = await db.suppliers.findOne({ _id: made.place.supplier_id });
    expect(supplier && keyring.open(supplier.api_key, supplierKeyPlace(supplier._id))).toBe(
      made.api_key,
    );
  });

  it.each([-1, 169, 1.5, NaN])('refuses an overlap of %d hours', async (hours) => {
    const made = await newSupplier();
    await expect(made.rotate(hours)).rejects.toMatchObject(refusal('overlap_hours', '0 to 168'));
  });
});
