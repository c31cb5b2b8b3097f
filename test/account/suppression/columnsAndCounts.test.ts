/** Which columns of an upload are read, and the cost of its count. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import { listSuppressions } from '../../../src/account/suppression/suppressions.js';
import type { Collections } from '../../../src/app/database.js';
import { openCount } from '../../../src/account/suppression/entryCount.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { keyring } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { asBefore, hashed, storedOf } from './entries.js';

const [EVERYWHERE, PAGE] = [{ scope: 'organisation' } as const, { after: null, limit: 100 }];

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

describe('an upload of a suppression list', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase({ monitorCommands: true });
    db = database.collections;
  });
  afterAll(() => database.drop());

  const listsOf = async (id: string) =>
    (await listSuppressions(accountOf({ collections: db }, id), PAGE)).docs;
  const newOrg = async () => (await makeOrg(db))._id;
  const upload = (org_id: string, source: AsyncIterable<Uint8Array>) =>
    uploadSuppressions(
      accountOf({ collections: db }, org_id),
      { target: EVERYWHERE, name: 'DNC', uploaded_by: 'key-1' },
      source,
    );

  it.each([
    'Phone Number',
    'PHONE',
    'Cell',
    'Cell-Phone',
    'Mobile',
    'mobile_number',
    'Tel.',
    'telephone',
  ])('reads phones of a column named %s, and says so', async (column) => {
    const org = await newOrg();
    const report = await upload(org, bytes(`Id,${column},Notes\n7,5551234567,x\n`));
    expect(report).toMatchObject({ added: 1, bad: 0, columns_read: [column] });
    expect(report.columns_ignored).toEqual(['Id', 'Notes']);
    expect(await storedOf(db, report.list_id)).toEqual([hashed(org, '15551234567')]);
  });

  it.each(['E-Mail', 'email address', 'Email_Address', 'MAIL'])(
    'reads emails of a column named %s',
    async (column) => {
      const org = await newOrg();
      const report = await upload(org, bytes(`${column}\nAda@example.com\n`));
      expect(report).toMatchObject({ added: 1, columns_read: [column], columns_ignored: [] });
      expect(await storedOf(db, report.list_id)).toEqual([hashed(org, 'ada@example.com')]);
    },
  );

  it('counts what it adds, and not the whole list each time', async () => {
    const now = new Date();
    // No list has entries of the earlier release any more.
    const done = { _id: 'hashing', seen_at: now, key_id: keyring.keyId, done_at: now } as const;
    await db.suppressionState.insertOne(done);
    const org = await newOrg();
    const lines = Array.from({ length: 100 }, (_, n) => `555${1_000_000 + n}\n`);
    await upload(org, bytes('phone\n', lines.join('')));
    const commands: string[] = [];
    const listen = ({ commandName, command }: CommandStartedEvent) =>
      commands.push(`${commandName} ${String(command[commandName])}`);
    database.client.on('commandStarted', listen);
    const report = await upload(org, bytes('phone\n5551234567\n5551000000\n'));
    database.client.off('commandStarted', listen);
    await db.suppressionState.deleteOne({ _id: done._id });
    const ofEntries = commands.filter((one) => one.endsWith(' suppressions'));
    expect(report).toMatchObject({ added: 1, already_there: 1, entries: 101 });
    // The upload reads no entries: it inserts them, or the index refuses known ones.
    expect(ofEntries).toEqual(['insert suppressions']);
  });

  it('counts the whole list after an upload that died before it had counted', async () => {
    const org = await newOrg();
    const { list_id } = await upload(org, bytes('phone\n5551234567\n'));
    await asBefore(db, list_id, ['not counted']);
    await db.suppressionLists.updateOne({ _id: list_id }, { $inc: { entries: -1 } });
    await db.suppressionLists.updateOne({ _id: list_id }, { $set: { upload: 'a dead one' } });
    expect(await upload(org, bytes('phone\n5551234568\n'))).toMatchObject({ entries: 3 });
    expect(await listsOf(org)).toMatchObject([{ entries: 3 }]);
    expect(await upload(org, bytes('phone\n5551234569\n'))).toMatchObject({ entries: 4 });
  });

  it('keeps the count of the call that ended last, however long an earlier one takes to count', async () => {
    const org = await newOrg();
    const { list_id } = await upload(org, bytes('phone\n5551234567\n'));
    const later = await openCount(db, list_id);
    const suppressionLists = Object.create(db.suppressionLists) as Collections['suppressionLists'];
    suppressionLists.updateOne = async (...[which, change, options]) => {
      // What the other call adds, and counts, meanwhile is not in this count.
      if ('entries' in ((change as { $set?: object }).$set ?? {})) {
        await asBefore(db, list_id, ['another']);
        await later.finish();
      }
      return db.suppressionLists.updateOne(which, change, options);
    };
    await (await openCount({ ...db, suppressionLists }, list_id)).finish();
    expect(await listsOf(org)).toMatchObject([{ entries: 2 }]);
    expect(await upload(org, bytes('phone\n5551234568\n'))).toMatchObject({ entries: 3 });
  });
});
