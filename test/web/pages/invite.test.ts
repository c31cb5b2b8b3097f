/** An invitation: opened by anybody as often as they like, accepted once, by its button. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf } from './visitor.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

const JOIN = { name: 'Nora New', password: PASSWORD };
const sessionsOf = async (email: string): Promise<number> => {
  const person = await bed.collections.people.findOne({ email });
  return bed.collections.sessions.countDocuments({ person_id: person?._id ?? 'nobody' });
};

describe('an invitation', () => {
  it('says who invites, whom and as what, and takes a new person in with a name and a password', async () => {
    const { path, email } = await bed.invite({ role: 'analyst' });
    const guest = bed.visitor();
    const page = await guest.open(path);
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain(`Acme Leads invites ${email} to join it, as an analyst.`);
    const done = await guest.submit(page, path, JOIN);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/org\/mem_/)]);
    expect(wordsOf(await guest.visit('/account'))).toContain(`Signed in as Nora New (${email})`);
  });

  it('of a partner leads to its portal', async () => {
    const { path } = await bed.member({ scope: await bed.buyer(), role: 'admin' });
    expect(path).toMatch(/^\/portal\/mem_/);
  });

  it('is not used up by opening it, whoever opens it and however often', async () => {
    const { path, email } = await bed.invite();
    const scanner = bed.visitor('MailScanner/1.0');
    for (let count = 0; count < 5; count += 1) {
      expect((await scanner.open(path)).status).toBe(200);
    }
    expect(scanner.cookies.size).toBe(0);
    expect(await bed.collections.people.countDocuments({ email })).toBe(0);
    const guest = bed.visitor();
    expect((await guest.submit(await guest.open(path), path, JOIN)).status).toBe(303);
  });

  it('accepted by 50 at once makes one session', async () => {
    const { path, email } = await bed.invite();
    const guests = Array.from({ length: 50 }, () => bed.visitor());
    const page = await bed.visitor().open(path);
    const answers = await Promise.all(guests.map((guest) => guest.submit(page, path, JOIN)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(guests.filter(({ cookies }) => cookies.has('__Host-lw'))).toHaveLength(1);
    expect(await sessionsOf(email)).toBe(1);
    expect(answers.every(({ status }) => status < 500 || status === 503)).toBe(true);
  });

  it('does nothing any more once it was accepted', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    await guest.submit(page, path, JOIN);
    const other = bed.visitor();
    for (const answer of [await other.open(path), await other.submit(page, path, JOIN)]) {
      expect([answer.status, answer.title]).toEqual([404, 'This link does not work · Leadwire']);
    }
    expect(other.cookies.size).toBe(0);
  });

  it('with a wrong token is a page that says so', async () => {
    const answer = await bed.visitor().open('/invite/none');
    expect([answer.status, answer.title]).toEqual([404, 'This link does not work · Leadwire']);
  });

  it('shows what is wrong beside its field, keeps the name, and never the password', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    const answer = await guest.submit(page, path, { name: 'Nora "N" <b>', password: 'short-pass' });
    expect([answer.status, answer.title]).toEqual([400, 'Error: You are invited · Leadwire']);
    expect(answer.text).not.toContain('short-pass');
    expect(inputOf(answer, 'name')).toContain('value="Nora &#34;N&#34; &#60;b&#62;"');
    expect(inputOf(answer, 'password')).toMatch(
      /aria-invalid="true" aria-describedby="password-hint password-fault" autofocus/,
    );
    expect(answer.text).toMatch(/<p class="fault" id="password-fault">[^<]*at least 12 characters/);
    expect((await guest.submit(answer, path, JOIN)).status).toBe(303);
  });

  it('keeps a name of 10,000 characters out, and says the limit', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    const answer = await guest.submit(page, path, { ...JOIN, name: 'n'.repeat(10_000) });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/id="name-fault">[^<]*at most 120 characters/);
  });

  it('of somebody who has an account is accepted once they are signed in', async () => {
    const { email, visitor } = await bed.member();
    const { path } = await bed.invite({
      email,
      scope: await bed.buyer(),
      role: 'viewer',
    });
    const stranger = bed.visitor();
    const page = await stranger.open(path);
    expect(wordsOf(page)).toContain(
      'This address has an account here. Sign in first, then accept.',
    );
    const signedIn = await signIn(stranger, {
      email,
      at: `/sign-in?next=${encodeURIComponent(path)}`,
    });
    expect(signedIn.location).toBe(path);
    const asked = await stranger.follow(signedIn);
    const done = await stranger.submit(asked, path);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/portal\/mem_/)]);
    expect((await visitor.visit('/choose')).text.match(/href="\/(org|portal)\/mem_/g)).toHaveLength(
      2,
    );
  });

  it('is not taken by a new account for an address that has one', async () => {
    const { email } = await bed.member();
    const { path } = await bed.invite({
      email,
      scope: await bed.buyer(),
      role: 'viewer',
    });
    const answer = await bed.visitor().post(path, JOIN);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(wordsOf(answer)).toContain('Sign in with it first');
  });

  it('is not accepted by somebody else who happens to be signed in', async () => {
    const other = await bed.member();
    const { path, email } = await bed.invite();
    const page = await other.visitor.open(path);
    expect(wordsOf(page)).toContain('The invitation is for another address.');
    expect(page.text).not.toContain('Accept the invitation');
    expect(await bed.collections.people.countDocuments({ email })).toBe(0);
  });

  it('accepts nothing for whoever has signed in in another tab meanwhile', async () => {
    const first = await bed.member();
    const { path } = await bed.invite({
      email: first.email,
      scope: await bed.buyer(),
      role: 'viewer',
    });
    const page = await first.visitor.open(path);
    const second = await bed.member();
    await signIn(first.visitor, { email: second.email });
    const answer = await first.visitor.submit(page, path);
    expect([answer.status, answer.title]).toEqual([
      409,
      'Somebody else is signed in now · Leadwire',
    ]);
    expect(wordsOf(answer)).toContain(`this browser is signed in as ${second.email} now`);
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [
      'a page of a neighbouring site',
      { 'sec-fetch-site': 'same-site', origin: 'http://x.127.0.0.1' },
    ],
    ['a page that says nothing of itself', {}],
    ['an old browser on another site', { origin: 'https://evil.example' }],
    ['an old browser that hides its page', { origin: 'null' }],
  ])('is not accepted by a form on %s', async (_title, headers) => {
    const { path, email } = await bed.invite();
    const answer = await bed.visitor().post(path, JOIN, headers);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await bed.collections.people.countDocuments({ email })).toBe(0);
  });

  it('shows names of any script as text, in a direction of their own', async () => {
    const name = '\u05d0\u05d1 <script>alert(1)</script> "\u0645';
    const { insertedId } = await bed.collections.orgs.insertOne({
      _id: `org-${Date.now()}`,
      name,
      time_zone: 'UTC',
      currency: 'USD',
      created_at: new Date(),
    });
    const { path } = await bed.invite({ org_id: insertedId });
    const page = await bed.visitor().open(path);
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain(
      `<bdi>\u05d0\u05d1 &#60;script&#62;alert(1)&#60;/script&#62; &#34;\u0645</bdi>`,
    );
  });
});
