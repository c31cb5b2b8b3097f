/** Entries that the previous release stored as MD5 are found, counted and removed as before, until they are hashed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashEntries } from '../../../src/account/repair/suppressions.js';
import { removeSuppressions } from '../../../src/account/suppression/suppressions.js';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { systemClock } from '../../../src/lib/clock.js';
import { suppressionKeys } from '../../../src/account/rules/suppressionKeys.js';
import type { Collections } from '../../../src/app/database.js';
import { createSuppressionStore } from '../../../src/account/store/suppressions.js';
import { hashMd5 as md5Of } from '../../../src/account/suppression/hashMd5.js';
import { removeFromList } from '../../../src/account/suppression/remove.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { keyring } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { asBefore, hashed, md5, storedOf } from '../suppression/entries.js';

const HOUR_MS = 3_600_000;

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

describe('entries that are stored as MD5', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const { suppressions, suppressionLists, suppressionState } = db;
    const all = [suppressions, suppressionLists, suppressionState];
    await Promise.all(all.map((one) => one.deleteMany({})));
    lastRun = null;
  });

  const upload = (org_id: string, csv: string) => {
    const target = { scope: 'organisation' } as const;
    const list = { org_id, target, name: 'DNC', uploaded_by: 'key' };
    return uploadSuppressions(accountOf({ collections: db }, list.org_id), list, bytes(csv));
  };
  const remove = (list: { org_id: string; list_id: string }, csv: string) =>
    removeFromList(accountOf({ collections: db }, list.org_id), list.list_id, bytes(csv));
  /** A list stored by the previous release. */
  const oldList = async (...texts: string[]) => {
    const org_id = (await makeOrg(db))._id;
    const { list_id } = await upload(org_id, 'phone\n');
    await asBefore(db, list_id, texts);
    return { org_id, list_id };
  };
  const countOf = async (listId: string) =>
    (await db.suppressionLists.findOne({ _id: listId }))?.entries;
  const errors: unknown[] = [];
  /** Last completed repair of any release. */
  let lastRun: Date | null = null;
  const repair = (ahead = 0, collections = db, ring = keyring) =>
    hashEntries({
      collections,
      keyring: ring,
      stopping: () => false,
      repairs: { lastCompleted: () => Promise.resolve(lastRun) },
      log: { error: (...told: unknown[]) => void errors.push(...told) },
      clock: { ...systemClock, now: () => new Date(Date.now() + ahead) },
    });
  /** Runs the repair a day after the first process of this release. */
  const repairLater = async (collections = db) => {
    await repair();
    return repair(25 * HOUR_MS, collections);
  };
  const hitsOn = async (
    list: { org_id: string; list_id: string },
    phone: string,
    email: string,
  ) => {
    const store = createSuppressionStore(db, keyring);
    const keys = suppressionKeys({ phone, email }, md5Of);
    const query = { lead_id: 'lead', org_id: list.org_id, list_ids: [list.list_id], keys };
    return ((await store.hits([query])).get('lead') ?? []).map(({ field }) => field);
  };

  it('are found before and after they are hashed, and no others', async () => {
    const list = await oldList('5551234567', 'ada@example.com');
    for (const release of ['before', 'this one']) {
      expect([release, await hitsOn(list, '+15551234567', 'ada@example.com')]).toEqual([
        release,
        ['phone', 'email'],
      ]);
      expect(await hitsOn(list, '+15551234568', 'ADA@example.com')).toEqual(['email']);
      expect(await hitsOn(list, '+15551234568', 'bob@example.com')).toEqual([]);
      await repairLater();
    }
    expect(await storedOf(db, list.list_id)).toEqual(
      ['5551234567', 'ada@example.com'].map((text) => hashed(list.org_id, text)).sort(),
    );
  });

  it('stay unchanged for a day, in which processes of the earlier release may still run', async () => {
    const list = await oldList('5551234567');
    expect([await repair(), await repair(23 * HOUR_MS)]).toEqual([0, 0]);
    expect(await storedOf(db, list.list_id)).toEqual([md5('5551234567')]);
    expect(await repair(24 * HOUR_MS)).toBe(1);
    expect(await storedOf(db, list.list_id)).toEqual([hashed(list.org_id, '5551234567')]);
    expect(await db.suppressionState.findOne({})).toMatchObject({
      done_at: expect.any(Date) as unknown as Date,
    });
    expect(await repair(26 * HOUR_MS)).toBe(0);
  });

  it('stay for another day if the previous release ran again, and are then all replaced', async () => {
    const list = await oldList('5551234567');
    expect(await repairLater()).toBe(1);
    // The installation was downgraded for two days, and is at this release again.
    await asBefore(db, list.list_id, ['ada@example.com']);
    lastRun = new Date(Date.now() + 72 * HOUR_MS);
    expect([await repair(72 * HOUR_MS), await repair(95 * HOUR_MS)]).toEqual([0, 0]);
    expect(await storedOf(db, list.list_id)).toContain(md5('ada@example.com'));
    expect(await hitsOn(list, '+15551234567', 'ada@example.com')).toEqual(['phone', 'email']);
    expect(await repair(97 * HOUR_MS)).toBe(1);
    expect(await storedOf(db, list.list_id)).toEqual(
      ['5551234567', 'ada@example.com'].map((text) => hashed(list.org_id, text)).sort(),
    );
  });

  it('are not added again, and can be removed, in either form', async () => {
    const list = await oldList('15551234567', 'ada@example.com');
    const csv = 'phone,email\n5551234567,ada@example.com\n5551234568,ada@example.com\n';
    const report = await upload(list.org_id, csv);
    expect(report).toMatchObject({ added: 1, already_there: 3, entries: 3 });
    expect(await remove(list, 'email\nada@example.com')).toMatchObject({ removed: 1, entries: 2 });
    expect(await repairLater()).toBe(1);
    expect(await upload(list.org_id, csv)).toMatchObject({ added: 1, entries: 3 });
    expect(await remove(list, csv)).toMatchObject({ removed: 3, not_there: 0, entries: 0 });
    expect(await storedOf(db, list.list_id)).toEqual([]);
  });

  it('are hashed where another process died, and none is lost or counted twice', async () => {
    const texts = Array.from({ length: 2_100 }, (_, n) => `1555${1_000_000 + n}`);
    const list = await oldList(...texts);
    const suppressions = Object.create(db.suppressions) as Collections['suppressions'];
    let deletes = 0;
    suppressions.deleteMany = (...args) =>
      ++deletes === 2 ? Promise.reject(new Error('killed')) : db.suppressions.deleteMany(...args);
    await expect(repairLater({ ...db, suppressions })).rejects.toThrow('killed');
    const half = await storedOf(db, list.list_id);
    expect(half).toHaveLength(2_100);
    const md5s = new Set(texts.map(md5));
    expect(half.filter((one) => md5s.has(one))).toHaveLength(1_100);
    expect(await repairLater()).toBe(1_100);
    expect(await storedOf(db, list.list_id)).toEqual(
      texts.map((text) => hashed(list.org_id, text)).sort(),
    );
    expect(await countOf(list.list_id)).toBe(2_100);
    // The mark left by the dead process makes the next upload count the list: it finds the same number.
    expect(await upload(list.org_id, 'phone\n5559999999\n')).toMatchObject({ entries: 2_101 });
  });

  it('that are stored in both forms become one, and are counted as one', async () => {
    const list = await oldList('15551234567');
    await upload(list.org_id, 'phone\n5551234568\n');
    await asBefore(db, list.list_id, ['15551234568']);
    expect(await countOf(list.list_id)).toBe(3);
    await repairLater();
    expect([await countOf(list.list_id), (await storedOf(db, list.list_id)).length]).toEqual([
      2, 2,
    ]);
  });

  it('stay on the list while they are hashed, and leave it when they are removed', async () => {
    const texts = Array.from({ length: 2_200 }, (_, n) => `1555${1_000_000 + n}`);
    const list = await oldList(...texts);
    await repair();
    const store = createSuppressionStore(db, keyring);
    let running = true;
    const missed: string[] = [];
    let looked = 0;
    const watch = async (from: number) => {
      for (let n = from; running; n = (n + 997) % 2_000) {
        const phone = `+${texts[n]}`;
        const keys = suppressionKeys({ phone }, md5Of);
        const { org_id, list_id } = list;
        const found = await store.hits([{ lead_id: 'x', org_id, list_ids: [list_id], keys }]);
        if (found.size === 0) missed.push(phone);
        looked += 1;
      }
    };
    const watching = [1, 2, 3, 4].map((n) => watch(n * 411));
    const gone = texts.slice(2_000).map((text) => text.slice(1));
    const [hashedNow, , removed] = await Promise.all([
      repair(25 * HOUR_MS),
      repair(25 * HOUR_MS),
      remove(list, ['phone', ...gone].join('\n')),
    ]);
    running = false;
    await Promise.all(watching);
    expect(missed).toEqual([]);
    expect(looked).toBeGreaterThan(20);
    expect(hashedNow).toBeLessThanOrEqual(2_200);
    expect(removed).toMatchObject({ removed: 200, not_there: 0 });
    await repair(26 * HOUR_MS);
    const left = texts.slice(0, 2_000).map((text) => hashed(list.org_id, text));
    expect(await storedOf(db, list.list_id)).toEqual(left.sort());
    expect(await countOf(list.list_id)).toBe(2_000);
  });

  it('are removed although they are hashed between being found and being deleted', async () => {
    const list = await oldList('15551234567', '15551234568');
    await repair();
    const suppressions = Object.create(db.suppressions) as Collections['suppressions'];
    suppressions.find = ((filter: object) => {
      const cursor = db.suppressions.find(filter);
      const read = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        const rows = await read();
        await repair(25 * HOUR_MS);
        return rows;
      };
      return cursor;
    }) as Collections['suppressions']['find'];
    const meanwhile = { collections: { ...db, suppressions }, keyring };
    const report = await removeFromList(
      accountOf(meanwhile, list.org_id),
      list.list_id,
      bytes('phone\n5551234567'),
    );
    expect(report).toMatchObject({ removed: 1, not_there: 0, entries: 1 });
    expect(await storedOf(db, list.list_id)).toEqual([hashed(list.org_id, '15551234568')]);
  });

  it('make a changed secret an error, as long as a list exists', async () => {
    const other = createKeyring('another secret of the tests, long enough');
    const list = await oldList('15551234567');
    await repair();
    expect(errors).toEqual([]);
    await repair(0, db, other);
    expect(errors).toEqual([
      { stored: keyring.keyId, key_id: other.keyId },
      expect.stringContaining('LEADWIRE_SECRET was changed'),
    ]);
    errors.length = 0;
    await removeSuppressions(accountOf({ collections: db }, list.org_id), list.list_id);
    await repair(0, db, other);
    await oldList('15551234567');
    await repair(0, db, other);
    expect(errors).toEqual([]);
  });

  it('are not hashed with another secret than the one the lists started with', async () => {
    const list = await oldList('5551234567');
    await repair();
    const other = createKeyring('another secret of the tests, long enough');
    expect(await repair(25 * HOUR_MS, db, other)).toBe(0);
    expect(await storedOf(db, list.list_id)).toEqual([md5('5551234567')]);
    // The secret is restored.
    expect(await repair(26 * HOUR_MS)).toBe(1);
    expect(await hitsOn(list, '+15551234567', 'ada@example.com')).toEqual(['phone']);
    errors.length = 0;
  });

  it('are deleted with their list, in both forms', async () => {
    const list = await oldList('15551234567');
    await upload(list.org_id, 'phone\n5551234568\n');
    await removeSuppressions(accountOf({ collections: db }, list.org_id), list.list_id);
    expect(await db.suppressions.countDocuments({})).toBe(0);
    expect(await repairLater()).toBe(0);
  });
});
