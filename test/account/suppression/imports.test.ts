/** Long files in chunks: each is on the list once, and a replacement comes into force as a whole. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { dropLeftImports } from '../../../src/account/repair/suppressionImports.js';
import {
  finishImport,
  importChunk,
  openImport,
  type ImportInput,
} from '../../../src/account/suppression/imports.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { removeSuppressions } from '../../../src/account/suppression/suppressions.js';
import { publishUnpublished } from '../../../src/account/repair/account.js';
import type { Collections } from '../../../src/app/database.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { hashed, storedOf } from './entries.js';

const DAY_MS = 86_400_000;
const log = { error: () => undefined };

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const phones = (...last: number[]): string[] => last.map((n) => `+1555123${4000 + n}`);
const chunk = (number: number, ...last: number[]) => ({
  number,
  source: bytes(['phone', ...phones(...last), ''].join('\n')),
});

describe('the import of a suppression list in chunks', () => {
  let database: TestDatabase;
  let db: Collections;
  beforeAll(async () => {
    database = await openDatabase();
    db = database.collections;
  });
  afterAll(() => database.drop());

  let made = 0;
  const begin = async (more: Partial<ImportInput> = {}) => {
    const org = (await makeOrg(db))._id;
    const account = accountOf({ collections: db }, org);
    const input: ImportInput = {
      import_id: `import-${++made}`,
      name: 'DNC',
      target: { scope: 'organisation' },
      replaces: false,
      uploaded_by: 'key-1',
      ...more,
    };
    const entriesOf = async (listId: string) => storedOf(db, listId);
    const of = (...last: number[]) =>
      phones(...last)
        .map((one) => hashed(org, one.slice(1)))
        .sort();
    return { org, account, input, entriesOf, of };
  };
  const planOf = async (campaign_id: string) => {
    const plan = await db.plans.findOne({ campaign_id }, { sort: { version: -1 } });
    return plan?.suppression?.map(({ list_id }) => list_id) ?? [];
  };

  it('stores each chunk once, whatever is sent again, and counts each row once', async () => {
    const { account, input, entriesOf, of } = await begin();
    await importChunk(account, input, chunk(0, 1, 2));
    // The answer was lost: the same chunk comes again, twice at the same time.
    await Promise.all([0, 0].map((n) => importChunk(account, input, chunk(n, 1, 2))));
    const both = [1, 1].map((n) => importChunk(account, input, chunk(n, 3, 4)));
    await Promise.all(both);
    const { doc } = await finishImport(account, input, 2);
    expect(doc).toMatchObject({ state: 'done', next: 2, rows: 4, entries: 4, bad: 0 });
    expect(await entriesOf(doc.list_id)).toEqual(of(1, 2, 3, 4));
    expect((await finishImport(account, input, 2)).doc).toEqual(doc);
  });

  it('refuses a chunk that would leave a gap, an end that comes too early, and a chunk after it', async () => {
    const { account, input } = await begin();
    await importChunk(account, input, chunk(0, 1));
    await expect(importChunk(account, input, chunk(2, 3))).rejects.toThrow(
      'chunk must be 1, the first one that is not stored yet',
    );
    await expect(finishImport(account, input, 3)).rejects.toThrow('chunk must be 1');
    await finishImport(account, input, 1);
    await expect(importChunk(account, input, chunk(1, 2))).rejects.toThrow('is finished');
    await expect(openImport(account, { ...input, name: 'Another' })).rejects.toThrow(
      'import_id is that of the import of the list "DNC"',
    );
  });

  it('goes on after a chunk that was stored in part and never counted', async () => {
    const { account, input, entriesOf, of } = await begin();
    await importChunk(account, input, chunk(0, 1, 2));
    // As if the process had died between the entries and the number of the next chunk.
    const target = { name: input.name, target: input.target, uploaded_by: 'key-1' };
    await uploadSuppressions(account, target, chunk(1, 3).source);
    await importChunk(account, input, chunk(1, 3, 4));
    const { doc } = await finishImport(account, input, 2);
    expect(doc).toMatchObject({ rows: 4, entries: 4 });
    expect(await entriesOf(doc.list_id)).toEqual(of(1, 2, 3, 4));
  });

  it('does not begin anew a list that is deleted meanwhile', async () => {
    const { account, input } = await begin();
    const { doc } = await importChunk(account, input, chunk(0, 1));
    await removeSuppressions(account, doc.list_id);
    await expect(importChunk(account, input, chunk(1, 2))).rejects.toThrow(
      `There is no suppression list ${doc.list_id}.`,
    );
    expect(await db.suppressionLists.countDocuments({ org_id: account.orgId })).toBe(0);
  });

  it('leaves the old list in force until the new one is complete, and then replaces it in the plans at once', async () => {
    const { account, input, entriesOf, of } = await begin({ replaces: true });
    const campaign = await createCampaign(account, { name: 'Auto' });
    const old = await uploadSuppressions(account, input, chunk(0, 1, 2).source);
    await importChunk(account, input, chunk(0, 2));
    await importChunk(account, input, chunk(1, 3));
    expect(await planOf(campaign._id)).toEqual([old.list_id]);
    const versions = await db.plans.countDocuments({ campaign_id: campaign._id });
    const { doc } = await finishImport(account, input, 2);
    expect(await planOf(campaign._id)).toEqual([doc.list_id]);
    // No version between had none of both lists.
    expect(await db.plans.countDocuments({ campaign_id: campaign._id })).toBe(versions + 1);
    expect(await entriesOf(doc.list_id)).toEqual(of(2, 3));
    const list = await db.suppressionLists.findOne({ _id: doc.list_id });
    expect(list).toMatchObject({ name: 'DNC', entries: 2 });
    expect(list?.unpublished).toBeUndefined();
    // A lead that is being decided by the plan from before still finds its entries.
    expect(await entriesOf(old.list_id)).toEqual(of(1, 2));
    const later = { now: () => new Date(Date.now() + DAY_MS), monotonic: () => 0, random: () => 0 };
    await publishUnpublished({ collections: db, clock: later, log });
    expect(await entriesOf(old.list_id)).toEqual([]);
    expect(await db.suppressionLists.countDocuments({ org_id: account.orgId })).toBe(1);
  });

  it('finishes a replacement whose process stopped before it was in the plans', async () => {
    const { account, input } = await begin({ replaces: true });
    const campaign = await createCampaign(account, { name: 'Auto' });
    await uploadSuppressions(account, input, chunk(0, 1).source);
    const { doc } = await importChunk(account, input, chunk(0, 2));
    const broken = {
      ...account,
      collections: {
        ...db,
        plans: Object.assign(Object.create(db.plans) as typeof db.plans, {
          insertOne: () => Promise.reject(new Error('stopped')),
        }),
      },
    };
    await expect(finishImport(broken, input, 1)).rejects.toThrow();
    const done = await finishImport(account, input, 1);
    expect(done.doc).toMatchObject({ state: 'done', entries: 1, list_id: doc.list_id });
    expect(await planOf(campaign._id)).toEqual([doc.list_id]);
  });

  it('does not replace a list by nothing', async () => {
    const { account, input } = await begin({ replaces: true });
    const old = await uploadSuppressions(account, input, chunk(0, 1).source);
    await importChunk(account, input, { number: 0, source: bytes('phone\nnone\n') });
    await expect(finishImport(account, input, 1)).rejects.toThrow('stays in force');
    const list = await db.suppressionLists.findOne({ _id: old.list_id });
    expect(list).toMatchObject({ name: 'DNC', entries: 1 });
  });

  it('is given up after a week: what was to replace a list is deleted, what was added stays', async () => {
    const replacing = await begin({ replaces: true });
    const adding = await begin();
    const [aside, added] = [
      await importChunk(replacing.account, replacing.input, chunk(0, 1)),
      await importChunk(adding.account, adding.input, chunk(0, 1)),
    ];
    const mend = (days: number) => {
      const clock = {
        now: () => new Date(Date.now() + days * DAY_MS),
        monotonic: () => 0,
        random: () => 0,
      };
      return dropLeftImports({ collections: db, clock, log });
    };
    await mend(6);
    expect(await replacing.entriesOf(aside.doc.list_id)).toHaveLength(1);
    await mend(8);
    expect(await replacing.entriesOf(aside.doc.list_id)).toEqual([]);
    expect(await adding.entriesOf(added.doc.list_id)).toEqual(adding.of(1));
    expect(await db.suppressionImports.findOne({ _id: aside.doc._id })).toBeNull();
  });
});
