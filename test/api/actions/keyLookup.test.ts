/** Calls that come at the same time look up their keys together, and each gets its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOrgKey, keyIdOf, revokeKey } from '../../../src/account/keys/keys.js';
import { createKeyLookup, type KeyLookup } from '../../../src/api/actions/keyLookup.js';
import type { Collections } from '../../../src/app/database.js';
import { countCommands } from '../../../src/platform/mongo/counted.js';
import { createKey, hashKey } from '../../../src/platform/security/keys.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

const CALLS = 100;

describe('looking up keys', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  let orgId: string;
  let lookup: KeyLookup;
  let queries: number;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
    orgId = (await makeOrg(db))._id;
  });
  beforeEach(() => {
    queries = 0;
    const { apiKeys } = db;
    lookup = createKeyLookup(countCommands({ apiKeys }, () => (queries += 1)));
  });
  afterAll(() => database.drop());

  const newKey = (name: string) => createOrgKey(accountOf({ collections: db }, orgId), { name });

  it('shares a few queries among many calls, and gives each its own key, or none', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => newKey(`Key ${n}`)));
    const asked = Array.from({ length: CALLS }, (_, n) =>
      n % 11 === 10
        ? { hash: hashKey(createKey('live')), id: undefined }
        : { hash: made[n % 10]?.key._id ?? '', id: made[n % 10]?.key._id },
    );
    const found = await Promise.all(asked.map(({ hash }) => lookup.find(hash)));
    expect(found.map((key) => key?._id)).toEqual(asked.map(({ id }) => id));
    // Two calls go at once, by themselves; the others wait for them, and share.
    expect(queries).toBeLessThanOrEqual(4);
  });

  it('reads a key after its call has begun: one that was revoked before is found as revoked', async () => {
    const last = await newKey('Last');
    const { key } = await newKey('Key');
    // Other calls are on their way with the same key when it is revoked.
    const before = Array.from({ length: CALLS }, () => lookup.find(key._id));
    await revokeKey(accountOf({ collections: db }, orgId), keyIdOf(key));
    expect(await lookup.find(key._id)).toHaveProperty('revoked_at');
    await Promise.all(before);
    expect(await lookup.find(last.key._id)).not.toHaveProperty('revoked_at');
  });

  it('does not look up again a key that was not found a moment ago', async () => {
    const hash = hashKey(createKey('live'));
    expect(await lookup.find(hash)).toBeNull();
    expect(await lookup.find(hash)).toBeNull();
    expect(queries).toBe(1);
  });
});
