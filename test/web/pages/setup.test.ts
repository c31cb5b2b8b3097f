/** The link that creates the first admin. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSetupToken } from '../../../src/people/links/hostLinks.js';
import { anEmail, PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf } from './visitor.js';
import { makeOrg } from '../../support/org.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

const newLink = async (): Promise<string> => {
  const org = await makeOrg(bed.collections, 'Fresh Leads');
  return `/setup/${await createSetupToken(bed.collections, org._id, new Date())}`;
};
const values = () => ({ name: 'Ada Admin', email: anEmail(), password: PASSWORD });

describe('the link for the first admin', () => {
  it('creates an account with access to the organization', async () => {
    const path = await newLink();
    const visitor = bed.visitor();
    const page = await visitor.open(path);
    expect(wordsOf(page)).toContain('You will be the first admin of Fresh Leads.');
    const done = await visitor.submit(page, path, values());
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/org\/mem_/)]);
    expect((await visitor.open('/choose')).location).toBe(done.location);
  });

  it('works once, even for concurrent attempts, and stays valid when opened', async () => {
    const path = await newLink();
    const page = await bed.visitor().open(path);
    await bed.visitor('MailScanner/1.0').open(path);
    const attempts = Array.from({ length: 10 }, () => bed.visitor().submit(page, path, values()));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect((await bed.visitor().open(path)).status).toBe(404);
  });

  it('shows faults beside each field, and keeps name and address', async () => {
    const path = await newLink();
    const visitor = bed.visitor();
    const given = { name: 'Ada', email: 'no address', password: PASSWORD };
    const page = await visitor.submit(await visitor.open(path), path, given);
    expect(page.status).toBe(400);
    expect(inputOf(page, 'email')).toMatch(/value="no address".*aria-invalid="true".* autofocus/);
    expect(inputOf(page, 'name')).toContain('value="Ada"');
    expect(page.text).not.toContain(PASSWORD);
  });

  it('is accepted by a person with an account, once they are signed in', async () => {
    const { email } = await bed.member();
    const path = await newLink();
    const visitor = bed.visitor();
    const wrong = { ...values(), email, password: 'four words but other ones' };
    const refused = await visitor.submit(await visitor.open(path), path, wrong);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('id="password-fault"');
    await signIn(visitor, { email });
    const page = await visitor.open(path);
    expect(wordsOf(page)).toContain(`You are signed in as Mia Member (${email}).`);
    const done = await visitor.submit(page, path);
    expect(done.location).toMatch(/^\/org\/mem_/);
    expect((await visitor.open('/account')).status).toBe(200);
  });
});
