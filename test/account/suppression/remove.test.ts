/** Removing single people from a list. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeSuppressions } from '../../../src/account/suppression/suppressions.js';
import type { Collections } from '../../../src/app/database.js';
import { removeFromList } from '../../../src/account/suppression/remove.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { keyring, refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { hashed, md5, storedOf } from './entries.js';

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

describe('removing people from a suppression list', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  const newList = async (csv: string, name = 'DNC') => {
    const org_id = (await makeOrg(db))._id;
    const list = {
      org_id,
      name,
      uploaded_by: 'key',
      target: { scope: 'organisation' },
    } as const;
    const { list_id } = await uploadSuppressions(
      accountOf({ collections: db }, list.org_id),
      list,
      bytes(csv),
    );
    return { org_id, list_id };
  };
  const remove = (list: { org_id: string; list_id: string }, csv: string) =>
    removeFromList(accountOf({ collections: db }, list.org_id), list.list_id, bytes(csv));
  const stored = (listId: string) => storedOf(db, listId);
  const counted = async (listId: string) =>
    (await db.suppressionLists.findOne({ _id: listId }))?.entries;

  it('deletes their entries, returns how many existed, and does nothing the second time', async () => {
    const list = await newList(
      'phone,email\n5551234567,ada@example.com\n5551234568,bob@example.com',
    );
    const csv = 'Id,Cell Phone,E-Mail\n1,(555) 123-4567,ADA@example.com\n2,5559999999,\n3,12,\n';
    expect(await remove(list, csv)).toEqual({
      list_id: list.list_id,
      rows: 3,
      removed: 2,
      not_there: 1,
      bad: 1,
      entries: 2,
      columns_read: ['Cell Phone', 'E-Mail'],
      columns_ignored: ['Id'],
      problems: [
        { line: 4, column: 'phone', rule: expect.any(String) as unknown as string, value: '99' },
      ],
    });
    expect(await stored(list.list_id)).toEqual(
      ['15551234568', 'bob@example.com'].map((one) => hashed(list.org_id, one)).sort(),
    );
    expect(await remove(list, csv)).toMatchObject({ removed: 0, not_there: 3, entries: 2 });
    expect(await counted(list.list_id)).toBe(2);
  });

  it('finds a phone however it was hashed, and a hash as it is', async () => {
    const spelled = ['5551234567', '15551234567', '+15551234567'].map(md5);
    const list = await newList(['phone_md5', ...spelled, md5('5551234568')].join('\n'));
    expect(await remove(list, 'phone\n555-123-4567\n')).toMatchObject({ removed: 3, not_there: 0 });
    expect(await stored(list.list_id)).toEqual([hashed(list.org_id, '5551234568')]);
    const upper = md5('5551234568').toUpperCase();
    expect(await remove(list, `md5\n${upper}\n`)).toMatchObject({ removed: 1, entries: 0 });
  });

  it('finds an address in both forms of its domain', async () => {
    const list = await newList(`email\n${md5('ada@bücher.example')}\nbob@bücher.example`);
    expect(
      await remove(list, 'email\nADA@xn--bcher-kva.example\nbob@xn--bcher-kva.example\n'),
    ).toMatchObject({ removed: 2, not_there: 0, entries: 0 });
  });

  it('removes more people than one database call handles', async () => {
    const lines = Array.from({ length: 1_100 }, (_, n) => `555${1_000_000 + n}`).join('\n');
    const list = await newList(`phone\n${lines}\n5552345678`);
    expect(await remove(list, `phone\n${lines}`)).toMatchObject({ removed: 1_100, entries: 1 });
    expect(await stored(list.list_id)).toEqual([hashed(list.org_id, '15552345678')]);
  });

  it('counts the list after a removal that was interrupted before it had counted', async () => {
    const list = await newList('phone\n5551234567\n5551234568\n5551234569');
    const suppressionLists = Object.create(db.suppressionLists) as Collections['suppressionLists'];
    suppressionLists.updateOne = () => Promise.reject(new Error('killed'));
    const dying = { collections: { ...db, suppressionLists }, keyring };
    await expect(
      removeFromList(accountOf(dying, list.org_id), list.list_id, bytes('phone\n5551234567')),
    ).rejects.toThrow('killed');
    expect(await counted(list.list_id)).toBe(3);
    expect(await remove(list, 'phone\n5551234567')).toMatchObject({ removed: 0, entries: 2 });
    expect(await counted(list.list_id)).toBe(2);
  });

  it("refuses a file without a known column, and lists that are deleted or another organization's", async () => {
    const list = await newList('phone\n5551234567');
    await expect(remove(list, 'name\nAda')).rejects.toMatchObject(refusal('file', 'must name one'));
    const other = { ...list, org_id: (await newList('phone\n5551234567')).org_id };
    const gone = { code: 'not_found', message: `There is no suppression list ${list.list_id}.` };
    await expect(remove(other, 'phone\n5551234567')).rejects.toMatchObject(gone);
    expect(await stored(list.list_id)).toHaveLength(1);
    await removeSuppressions(accountOf({ collections: db }, list.org_id), list.list_id);
    await expect(remove(list, 'phone\n5551234567')).rejects.toMatchObject(gone);
  });
});
