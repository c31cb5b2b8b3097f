/** The last key that can create others stays, whichever callers revoke whichever keys at the same moment. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createOrgKey,
  findOrgKey,
  isLive,
  keyIdOf,
  permissionsOf,
  revokeKey,
} from '../../../src/account/keys/keys.js';
import { withoutKeys } from '../../../src/lib/defined.js';
import type { Collections } from '../../../src/app/database.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

const HOUR_MS = 3_600_000;
const ADMIN: Permission[] = ['settings:write'];
const LAST = {
  code: 'action_refused',
  message: expect.stringContaining('the last key') as unknown as string,
};

describe('a key', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const at = (ms: number) => new Date(Number(now) + ms);
  it.each([
    ['without an end', {}, true],
    ['until its end', { expires_at: at(1) }, true],
    ['no longer at its end', { expires_at: now }, false],
    ['no longer after its end', { expires_at: at(-1) }, false],
    ['not once it was revoked', { revoked_at: at(-1), expires_at: at(1) }, false],
  ])('is valid: %s', (_when, key, isValid) => {
    expect(isLive(key, now)).toBe(isValid);
  });
});

describe('revoking the keys of an organization', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  const newOrg = async () => (await makeOrg(db))._id;
  const newKey = async (org: string, permissions: Permission[], expires_at?: Date) =>
    keyIdOf(
      (
        await createOrgKey(accountOf({ collections: db }, org), {
          name: 'K',
          permissions,
          expires_at,
        })
      ).key,
    );
  const leftOf = (org: string) =>
    db.apiKeys.countDocuments({ org_id: org, revoked_at: { $exists: false } });

  it('leaves one key with settings:write, however many are revoked at once', async () => {
    for (let round = 0; round < 5; round++) {
      const org = await newOrg();
      const keys = await Promise.all(Array.from({ length: 8 }, () => newKey(org, ADMIN)));
      const ended = await Promise.allSettled(
        keys.map((key) => revokeKey(accountOf({ collections: db }, org), key)),
      );
      const refused = ended.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: LAST }]);
      expect(await leftOf(org)).toBe(1);
    }
  });

  it('counts only valid keys that have settings:write themselves', async () => {
    const org = await newOrg();
    const last = await newKey(org, permissionsOf('write'));
    await newKey(org, permissionsOf('read'));
    const gone = await newKey(org, ADMIN);
    const over = await newKey(org, ADMIN, new Date(Date.now() + HOUR_MS));
    await newKey(await newOrg(), ADMIN);
    await revokeKey(accountOf({ collections: db }, org), gone);
    const later = new Date(Date.now() + HOUR_MS);
    await expect(
      revokeKey(accountOf({ collections: db, clock: { now: () => later } }, org), last),
    ).rejects.toMatchObject(LAST);
    expect(await db.apiKeys.findOne({ id: last })).not.toHaveProperty('revoked_at');
    // Keys that have expired or are revoked already may be revoked: nothing is lost.
    expect(
      await revokeKey(accountOf({ collections: db, clock: { now: () => later } }, org), over),
    ).toEqual(later);
    await revokeKey(accountOf({ collections: db, clock: { now: () => later } }, org), gone);
  });

  it('revokes it when another key has it, even one that expires later', async () => {
    const org = await newOrg();
    const [first, other] = [
      await newKey(org, ADMIN),
      await newKey(org, ADMIN, new Date(Date.now() + HOUR_MS)),
    ];
    await revokeKey(accountOf({ collections: db }, org), first);
    await expect(revokeKey(accountOf({ collections: db }, org), other)).rejects.toMatchObject(LAST);
  });

  it('refuses an expiry in the past', async () => {
    const org = await newOrg();
    const now = new Date();
    await expect(
      createOrgKey(accountOf({ collections: db, clock: { now: () => now } }, org), {
        name: 'K',
        expires_at: now,
      }),
    ).rejects.toMatchObject(refusal('expires_at', 'must be in the future'));
    expect(await leftOf(org)).toBe(0);
  });
});

describe('a key of an organization', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  const newOrg = async () => (await makeOrg(db))._id;
  const MISSING = { code: 'not_found' };

  it('is found by its id alone, and by the start of its hash only where it has none', async () => {
    const org = await newOrg();
    const { key } = await createOrgKey(accountOf({ collections: db }, org), { name: 'New' });
    const { key: old } = await createOrgKey(accountOf({ collections: db }, org), { name: 'Old' });
    await db.apiKeys.updateOne({ _id: old._id }, { $unset: { id: '' } });
    const withoutId = withoutKeys(old, ['id']);
    expect(keyIdOf(withoutId)).toBe(old._id.slice(0, 32));
    expect(await findOrgKey(accountOf({ collections: db }, org), keyIdOf(key))).toMatchObject({
      name: 'New',
    });
    expect(await findOrgKey(accountOf({ collections: db }, org), keyIdOf(withoutId))).toMatchObject(
      { name: 'Old' },
    );
    for (const other of [key._id.slice(0, 32), old._id.slice(0, 31), old._id, old.id ?? '', 'g'])
      await expect(findOrgKey(accountOf({ collections: db }, org), other)).rejects.toMatchObject(
        MISSING,
      );
  });

  it('is not found by another organization, nor is a key of a supplier', async () => {
    const org = await newOrg();
    const { key } = await createOrgKey(accountOf({ collections: db }, org), { name: 'K' });
    await expect(
      findOrgKey(accountOf({ collections: db }, await newOrg()), keyIdOf(key)),
    ).rejects.toMatchObject(MISSING);
    const id = randomUUID();
    await db.apiKeys.insertOne({
      _id: id,
      id,
      kind: 'supplier',
      supplier_id: 'supplier',
      org_id: org,
      name: 'S',
      created_at: new Date(),
    });
    await expect(findOrgKey(accountOf({ collections: db }, org), id)).rejects.toMatchObject(
      MISSING,
    );
  });
});
