import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import {
  listSuppressions,
  openSuppressionList,
  removeSuppressions,
  type SuppressionTarget,
} from '../../../src/account/suppression/suppressions.js';
import type { Collections } from '../../../src/app/database.js';
import {
  uploadSuppressions,
  type UploadProgress,
} from '../../../src/account/suppression/upload.js';
import { refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { csvLine } from '../../../src/lib/csv/writeRow.js';
import { hashed, md5, storedOf } from './entries.js';

const [EVERYWHERE, PAGE] = [{ scope: 'organisation' } as const, { after: null, limit: 100 }];

async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

describe('uploading a suppression list', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  const listsOf = async (id: string) =>
    (await listSuppressions(accountOf({ collections: db }, id), PAGE)).docs;
  const newOrg = async () => (await makeOrg(db))._id;
  const upload = (
    org_id: string,
    source: AsyncIterable<Uint8Array>,
    { name = 'DNC', target = EVERYWHERE }: { name?: string; target?: SuppressionTarget } = {},
    onProgress?: (progress: UploadProgress) => void,
  ) =>
    uploadSuppressions(
      accountOf({ collections: db }, org_id),
      { target, name, uploaded_by: 'key-1' },
      source,
      onProgress,
    );
  const planOf = (campaignId: string) =>
    db.plans.findOne({ campaign_id: campaignId }, { sort: { version: -1 } });

  it('stores a keyed hash of each phone and email in its normal form, and nothing else', async () => {
    const org = await newOrg();
    const file =
      '\ufeffName,Post,Phone,Email\r\nAda,x,(555) 123-4567,Ada@Example.com\r\n\r\nBob,,"+44 20 7946 0018",\r\n';
    const report = await upload(org, bytes(file));
    expect(report).toEqual({
      list_id: expect.any(String),
      rows: 2,
      added: 3,
      already_there: 0,
      bad: 0,
      entries: 3,
      problems: [],
      columns_read: ['Phone', 'Email'],
      columns_ignored: ['Name', 'Post'],
    });
    const people = ['15551234567', 'ada@example.com', '442079460018'];
    const hashes = people.map((person) => hashed(org, person)).sort();
    expect(await storedOf(db, report.list_id)).toEqual(hashes);
    expect(await listsOf(org)).toEqual([
      {
        _id: report.list_id,
        org_id: org,
        scope: 'organisation',
        target_id: org,
        name: 'DNC',
        entries: 3,
        created_at: expect.any(Date),
        uploaded_at: expect.any(Date),
        published_at: expect.any(Date),
        uploaded_by: 'key-1',
      },
    ]);
  });

  it.each(['md5', 'phone_md5', 'Email MD5', 'PHONE'])(
    'accepts ready hashes in the column %s, case-insensitive',
    async (column) => {
      const hash = md5('5551234567');
      const org = await newOrg();
      const { list_id, added } = await upload(org, bytes(`${column}\n${hash.toUpperCase()}\n`));
      expect(added).toBe(1);
      expect(await storedOf(db, list_id)).toEqual([hashed(org, '5551234567')]);
    },
  );

  it('reads phones of files that the service itself writes, and of spreadsheets', async () => {
    const org = await newOrg();
    const rows = ['+12025550134', '2025550135.0', "'2025550136", '(202) 555-0137,1234'];
    const file = [['Lead', 'Phone'], ...rows.map((phone) => ['=1', phone])].map(csvLine);
    const { list_id, bad } = await upload(org, bytes(`\ufeff${file.join('')}`));
    expect(bad).toBe(1);
    const known = ['12025550134', '12025550135', '12025550137'].map((one) => hashed(org, one));
    expect(await storedOf(db, list_id)).toEqual(known.sort());
  });

  it('reports the values it could not read, without repeating them', async () => {
    const file = [
      'phone,email,notes',
      '5551234567,,fine',
      '555-123,ada@@example.com,',
      ',,nothing to store',
      '"5550000000',
      `${'1'.repeat(45)},bob@example.com,`,
    ].join('\n');
    const report = await upload(await newOrg(), bytes(file));
    const phone = 'phone must have 10 to 15 digits';
    expect(report).toMatchObject({ rows: 5, added: 2, bad: 5, entries: 2 });
    expect(report.problems).toEqual([
      { line: 3, column: 'phone', rule: phone, value: '999-999' },
      {
        line: 3,
        column: 'email',
        rule: 'email must be an address such as name@example.com',
        value: 'aaa@@aaaaaaa.aaa',
      },
      { line: 4, column: null, rule: 'one of phone, email must have a value', value: '' },
      { line: 5, column: null, rule: 'a quote that opens a cell must be closed', value: '' },
      { line: 6, column: 'phone', rule: phone, value: `${'9'.repeat(40)}…` },
    ]);
  });

  it('counts every bad value and keeps the first thousand', async () => {
    const report = await upload(await newOrg(), bytes('phone\n', 'x\n'.repeat(1_001)));
    expect(report).toMatchObject({ rows: 1_001, bad: 1_001, added: 0 });
    expect(report.problems).toHaveLength(1_000);
  });

  it.each([
    ['a file without a header', '5551234567\n5551234568\n'],
    ['a file with other columns', 'name,city\nAda,5551234567\n'],
    ['an empty file', '\n'],
  ])('refuses %s, and makes no list of it', async (_what, file) => {
    const org = await newOrg();
    const refused = await upload(org, bytes(file)).catch((error: unknown) => error);
    expect(refused).toMatchObject(
      refusal('file', 'one of the columns phone, email, phone_md5, email_md5, md5'),
    );
    expect((refused as Error).message).not.toContain('555');
    expect(await listsOf(org)).toEqual([]);
  });

  it('changes nothing when the same file is repeated, and adds new entries', async () => {
    const org = await newOrg();
    const first = await upload(org, bytes('phone\n5551234567\n5551234567\n+15551234568\n'));
    expect(first).toMatchObject({ rows: 3, added: 2, already_there: 1, entries: 2 });
    const again = await upload(org, bytes('phone\n555.123.4567\n5551234568\n5551234569\n'));
    expect(again).toMatchObject({ added: 1, already_there: 2, entries: 3, list_id: first.list_id });
  });

  it('keeps the entries of an interrupted upload, and continues when it is run again', async () => {
    const org = await newOrg();
    const lines = Array.from({ length: 3_000 }, (_, n) => `555${1_000_000 + n}\n`);
    const broken = (async function* () {
      yield* bytes('phone\n', lines.slice(0, 2_100).join(''));
      throw new Error('connection lost');
    })();
    await expect(upload(org, broken)).rejects.toThrow('connection lost');
    const [list] = await listsOf(org);
    expect(list?.entries).toBe(2_000);
    const seen: UploadProgress[] = [];
    const again = await upload(org, bytes('phone\n', lines.join('')), {}, (p) => seen.push(p));
    expect(again).toMatchObject({ added: 1_000, already_there: 2_000, entries: 3_000 });
    expect(seen.map(({ rows }) => rows)).toEqual([1_000, 2_000, 3_000, 3_000]);
  });

  it('puts the people of two concurrent uploads on one list', async () => {
    const org = await newOrg();
    const file = (from: number) =>
      bytes('phone\n', Array.from({ length: 1_200 }, (_, n) => `555${from + n}\n`).join(''));
    const [one, two] = await Promise.all([
      upload(org, file(1_000_000)),
      upload(org, file(1_000_600)),
    ]);
    expect(one.list_id).toBe(two.list_id);
    expect(one.added + two.added).toBe(1_800);
    expect(await listsOf(org)).toMatchObject([{ entries: 1_800 }]);
  });

  it('is in the plans of its target, and leaves them when it is deleted', async () => {
    const org = await newOrg();
    const [policy, delivery] = [{ allowPrivate: true }, { url: 'https://buyer.example/leads' }];
    const { buyer } = await createBuyer(accountOf({ collections: db, policy }, org), {
      name: 'Buyer',
      delivery,
    });
    const [one, two] = [
      await createCampaign(accountOf({ collections: db }, org), { name: 'One' }),
      await createCampaign(accountOf({ collections: db }, org), { name: 'Two' }),
    ];
    await linkBuyer(
      accountOf({ collections: db }, org),
      { campaign_id: one._id, buyer_id: buyer._id },
      {},
    );
    expect(await planOf(one._id)).not.toHaveProperty('suppression');
    const people = () => bytes('phone\n5551234567\n');
    const all = await upload(org, people());
    const target = { scope: 'campaign', campaign_id: two._id } as const;
    const here = await upload(org, people(), { target });
    const own = await upload(org, people(), { target: { scope: 'buyer', buyer_id: buyer._id } });
    const byId = (a: { list_id: string }, b: { list_id: string }) =>
      a.list_id < b.list_id ? -1 : 1;
    const everywhere = { list_id: all.list_id, scope: 'organisation' };
    expect((await planOf(one._id))?.suppression).toEqual(
      [everywhere, { list_id: own.list_id, scope: 'buyer', buyer_id: buyer._id }].sort(byId),
    );
    expect((await planOf(two._id))?.suppression).toEqual(
      [everywhere, { list_id: here.list_id, scope: 'campaign' }].sort(byId),
    );
    const made = await createCampaign(accountOf({ collections: db }, org), { name: 'Three' });
    expect((await planOf(made._id))?.suppression).toEqual([everywhere]);

    const { version = 0 } = (await planOf(one._id)) ?? {};
    await upload(org, bytes('phone\n5551234568\n'));
    expect((await planOf(one._id))?.version).toBe(version);

    await removeSuppressions(accountOf({ collections: db }, org), all.list_id);
    expect((await planOf(one._id))?.suppression).toMatchObject([{ list_id: own.list_id }]);
    expect(await planOf(made._id)).not.toHaveProperty('suppression');
    expect(await storedOf(db, all.list_id)).toEqual([]);
    expect(await storedOf(db, own.list_id)).toHaveLength(1);
    expect((await listsOf(org)).map(({ _id }) => _id).sort()).toEqual(
      [own.list_id, here.list_id].sort(),
    );
  });

  it('leaves nothing behind when its list is deleted meanwhile', async () => {
    const org = await newOrg();
    let removed = '';
    const removedHalfway = (async function* () {
      const lines = Array.from({ length: 3_000 }, (_, n) => `555${1_000_000 + n}\n`);
      yield* bytes('phone\n', lines.slice(0, 2_100).join(''));
      const [list] = await listsOf(org);
      removed = list?._id ?? '';
      await removeSuppressions(accountOf({ collections: db }, org), removed);
      yield* bytes(lines.slice(2_100).join(''));
    })();
    await expect(upload(org, removedHalfway)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listsOf(org)).toEqual([]);
    expect(await storedOf(db, removed)).toEqual([]);
  });

  it('deletes a list of many entries, also after an interrupted deletion', async () => {
    const org = await newOrg();
    const lines = Array.from({ length: 2_100 }, (_, n) => `555${1_000_000 + n}\n`);
    const { list_id } = await upload(org, bytes('phone\n', lines.join('')));
    await db.suppressionLists.updateOne({ _id: list_id }, { $set: { removed_at: new Date() } });
    await expect(upload(org, bytes('phone\n5551234567\n'))).rejects.toMatchObject(
      refusal('name', 'is being deleted'),
    );
    expect(await removeSuppressions(accountOf({ collections: db }, org), list_id)).toBe(true);
    expect(await storedOf(db, list_id)).toEqual([]);
    expect(await removeSuppressions(accountOf({ collections: db }, org), list_id)).toBe(false);
  });

  it("refuses another organization's lists and targets, and too many lists", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const { _id: campaign_id } = await createCampaign(accountOf({ collections: db }, org), {
      name: 'Mine',
    });
    const { list_id } = await upload(org, bytes('phone\n5551234567\n'));
    expect(await removeSuppressions(accountOf({ collections: db }, other), list_id)).toBe(false);
    expect(await storedOf(db, list_id)).toHaveLength(1);
    const theirs = { target: { scope: 'campaign', campaign_id } } as const;
    await expect(upload(other, bytes('phone\n'), theirs)).rejects.toMatchObject({
      code: 'not_found',
    });
    const open = (name: string) =>
      openSuppressionList(accountOf({ collections: db }, other), {
        target: EVERYWHERE,
        name,
        uploaded_by: 'x',
      });
    for (let n = 0; n < 20; n++) await open(`List ${n}`);
    await expect(open('One more')).rejects.toMatchObject(refusal('name', 'At most 20 lists'));
    expect((await open('List 7')).name).toBe('List 7');
    await expect(open(' ')).rejects.toMatchObject(refusal('name', 'must not be empty'));
  });
});
