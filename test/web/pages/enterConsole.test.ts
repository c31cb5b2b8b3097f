/** The link that opens the console signed in, of the demo account. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConsoleUrlAsOperator } from '../../../src/api/operator/signInLinks.js';
import { demoConsoleUrl, ensureDemoPerson } from '../../../src/demo/console.js';
import { DEMO_ORG_ID } from '../../../src/demo/names.js';
import { createOrg } from '../../../src/account/orgs.js';
import { TEST_ZONE } from '../../support/org.js';
import { signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { wordsOf } from './visitor.js';

let bed: PagesBed;
let password = '';
beforeAll(async () => {
  bed = await startPagesBed();
  const org = { id: DEMO_ORG_ID, name: 'Leadwire Demo', time_zone: TEST_ZONE, currency: 'USD' };
  await createOrg(bed.collections, org);
});
afterAll(() => bed.stop());
beforeEach(async () => {
  const made = await ensureDemoPerson(contextOf(), password === '' ? null : password);
  password = made?.password ?? password;
});

const contextOf = () => ({ collections: bed.collections, clock: bed.service.deps.clock });
const newLink = async (): Promise<string> => {
  const url = await demoConsoleUrl(contextOf(), bed.url);
  return new URL(url ?? '').pathname;
};
const personOfDemo = () => bed.collections.people.findOne({ email: 'admin@demo.example' });

describe('the link of the demo', () => {
  it('shows a button, which signs in as the admin of the demo account', async () => {
    const path = await newLink();
    const visitor = bed.visitor();
    const page = await visitor.open(path);
    expect(wordsOf(page)).toContain(
      'You sign in to Leadwire Demo as Demo admin (admin@demo.example). The link works once.',
    );
    expect(page.headers['cache-control']).toBe('no-store');
    const done = await visitor.submit(page, path);
    expect([done.status, done.location]).toEqual([303, `/choose?org=${DEMO_ORG_ID}`]);
    expect((await visitor.open(done.location)).location).toMatch(/^\/org\/mem_/);
  });

  it('leads to the page that it names', async () => {
    const path = `${await newLink()}?page=members`;
    const visitor = bed.visitor();
    const done = await visitor.submit(await visitor.open(path), path);
    expect((await visitor.open(done.location)).location).toMatch(/^\/org\/mem_\w+\/members$/);
  });

  it('is stored as a hash alone', async () => {
    const token = (await newLink()).split('/').at(-1) ?? '';
    const kept = await bed.collections.accessLinks.find({ kind: 'console' }).toArray();
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  it('works once, even for concurrent attempts, and stays valid when opened', async () => {
    const path = await newLink();
    const page = await bed.visitor().open(path);
    await bed.visitor('MailScanner/1.0').open(path);
    const attempts = Array.from({ length: 10 }, () => bed.visitor().submit(page, path));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(9);
    const over = await bed.visitor().open(path);
    expect([over.status, wordsOf(over)]).toEqual([404, expect.stringContaining('leadwire open')]);
  });

  it('ends after half an hour', async () => {
    const path = await newLink();
    await bed.collections.accessLinks.updateMany(
      { kind: 'console', used_at: { $exists: false } },
      { $set: { expires_at: new Date(Date.now() - 1_000) } },
    );
    const { status } = await bed.visitor().open(path);
    expect(status).toBe(404);
    const { link } = await oneLink();
    expect(Number(link.expires_at) - Number(link.created_at)).toBe(30 * 60_000);
  });

  it('goes straight on for the person who is signed in already, and stays unused', async () => {
    const visitor = bed.visitor();
    await signIn(visitor, { email: 'admin@demo.example', password });
    const path = await newLink();
    expect((await visitor.open(path)).location).toBe(`/choose?org=${DEMO_ORG_ID}`);
    expect((await bed.visitor().open(path)).status).toBe(200);
  });

  it('takes the place of the session of another person, and says so before', async () => {
    const { visitor, email } = await bed.member();
    const path = await newLink();
    const page = await visitor.open(path);
    expect(wordsOf(page)).toContain(`You are signed in as ${email} now: that session ends.`);
    const { location } = await visitor.submit(page, path);
    const place = await visitor.open(location);
    expect(place.location).toMatch(/^\/org\/mem_/);
  });

  it('signs in up to the second factor where that is on', async () => {
    const path = await newLink();
    const { _id, totp } = (await personOfDemo()) ?? { _id: '' };
    const secret = bed.service.deps.keyring.seal('x', {
      collection: 'people',
      id: _id,
      field: 'totp',
    });
    await bed.collections.people.updateOne(
      { _id },
      { $set: { totp: { secret, last_step: 0, backup_codes: [] } } },
    );
    const visitor = bed.visitor();
    const { location } = await visitor.submit(await visitor.open(path), path);
    expect(location).toMatch(/^\/sign-in\/code\?next=/);
    await bed.collections.people.updateOne({ _id }, totp ? {} : { $unset: { totp: '' } });
  });

  it('is over with a new password', async () => {
    const path = await newLink();
    await bed.collections.people.updateOne({ email: 'admin@demo.example' }, { $inc: { epoch: 1 } });
    expect((await bed.visitor().open(path)).status).toBe(404);
  });

  it('is recorded for the account, and opens nothing of another one', async () => {
    const entry = await bed.collections.audit.findOne({ action: 'create_console_link' });
    expect(entry).toMatchObject({ org_id: DEMO_ORG_ID, key_id: 'operator', outcome: 'done' });
    const { _id: person_id = '' } = (await personOfDemo()) ?? {};
    const other = { org_id: bed.org.id, person_id };
    expect(await createConsoleUrlAsOperator(contextOf(), other, bed.url)).toBeNull();
  });

  it('is not made for a person who was removed, and does not open for one', async () => {
    const path = await newLink();
    const of = { org_id: DEMO_ORG_ID, scope_key: 'organization' };
    await bed.collections.memberships.deleteMany(of);
    expect((await bed.visitor().open(path)).status).toBe(404);
    await ensureDemoPerson(contextOf(), password);
    expect(await demoConsoleUrl(contextOf(), bed.url)).toBeNull();
  });
});

describe('the person of the demo', () => {
  it('keeps the password that it has; a lost or changed one is not told', async () => {
    expect(await ensureDemoPerson(contextOf(), password)).toEqual({
      email: 'admin@demo.example',
      password,
    });
    expect(await ensureDemoPerson(contextOf(), null)).toBeNull();
    expect(await ensureDemoPerson(contextOf(), `${password}x`)).toBeNull();
  });
});

async function oneLink() {
  const link = await bed.collections.accessLinks.findOne({ kind: 'console' });
  if (!link) throw new Error('No link is stored');
  return { link };
}
