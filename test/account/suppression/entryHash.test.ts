/** The stored form of suppression list entries, and the lookup of entries. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { suppressionKeys } from '../../../src/account/rules/suppressionKeys.js';
import { createSuppressionStore } from '../../../src/account/store/suppressions.js';
import { hashMd5 as md5Of } from '../../../src/account/suppression/hashMd5.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { keyring } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { openDatabase as openWatched } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { md5, storedOf } from './entries.js';

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

describe('the stored hash of an entry', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('differs for each organization and each secret, and is found with a configured older secret', async () => {
    const { collections } = database;
    const [OLD, NEW] = ['the secret of before, long enough', 'the secret of now, long enough too'];
    const before = createKeyring(OLD);
    const target = { scope: 'organisation' } as const;
    const lists = await Promise.all(
      ['A', 'B'].map(async (name) => {
        const org_id = (await makeOrg(collections, name))._id;
        const input = { org_id, target, name, uploaded_by: 'key' };
        const deps = { collections, keyring: before };
        const { list_id } = await uploadSuppressions(
          accountOf(deps, input.org_id),
          input,
          bytes('phone\n5551234567\n'),
        );
        return { org_id, list_id };
      }),
    );
    const entries = (
      await Promise.all(lists.map(({ list_id }) => storedOf(collections, list_id)))
    ).flat();
    expect(new Set(entries).size).toBe(2);
    expect(entries).not.toContain(md5('15551234567'));
    expect(entries.every((entry) => /^[0-9a-f]{32}$/.test(entry))).toBe(true);
    const isFound = async (ring: typeof before) => {
      const store = createSuppressionStore(collections, ring);
      const keys = suppressionKeys({ phone: '+15551234567' }, md5Of);
      const asked = lists.map(({ org_id, list_id }) => ({
        lead_id: org_id,
        org_id,
        list_ids: [list_id],
        keys,
      }));
      return (await store.hits(asked)).size;
    };
    expect(await isFound(before)).toBe(2);
    expect(await isFound(createKeyring(NEW, [OLD]))).toBe(2);
    expect(await isFound(createKeyring(NEW))).toBe(0);
  });

  it('is searched for after its earlier MD5: an entry that is hashed meanwhile is found in one of its places', async () => {
    const watched = await openWatched({ monitorCommands: true });
    const asked: { filter: { _id: { $in: string[] } }; sort?: object }[] = [];
    watched.client.on('commandStarted', ({ command }) => {
      if (command.find === 'suppressions') asked.push(command as unknown as (typeof asked)[0]);
    });
    const store = createSuppressionStore(watched.collections, keyring);
    const keys = suppressionKeys({ phone: '+15551234567' }, md5Of);
    await store.hits([{ lead_id: 'x', org_id: 'org', list_ids: ['a', 'b'], keys }]);
    await watched.drop();
    expect(asked.map(({ sort }) => sort)).toEqual([new Map([['_id', 1]])]);
    const ids = asked[0]?.filter._id.$in ?? [];
    const inOrder = [...ids].sort();
    const [md5s, hashes] = [ids.filter((id) => id[1] === ':'), ids.filter((id) => id[1] === ';')];
    expect([md5s.length, hashes.length]).toEqual([6, 6]);
    expect(inOrder.map((id) => id.slice(0, 2))).toEqual([
      'a:',
      'a:',
      'a:',
      'a;',
      'a;',
      'a;',
      'b:',
      'b:',
      'b:',
      'b;',
      'b;',
      'b;',
    ]);
  });
});
