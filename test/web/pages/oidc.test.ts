/** Signing in with an organization's own provider, a real one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OrgRole } from '../../../src/people/types.js';
import { OPERATOR, startPagesBed, type PagesBed } from './pagesBed.js';
import { CLIENT, leadsTo, startProvider, throughProvider, type TestProvider } from './provider.js';
import { wordsOf } from './visitor.js';
import { makeOrg } from '../../support/org.js';

let bed: PagesBed;
let provider: TestProvider;
let start: string;
beforeAll(async () => {
  bed = await startPagesBed();
  provider = await startProvider(`${bed.url}/oidc/callback`);
  await bed.people.oidc.configure(bed.org.id, {
    ...CLIENT,
    issuer: provider.issuer,
    is_enabled: true,
  });
  start = `/oidc/${bed.org.id}/start`;
});
afterAll(async () => {
  await bed.stop();
  await provider.stop();
});

const sub = (): string => `sub-${randomUUID()}`;

/** A person who accepted an invitation with the provider's sign-in. */
async function comeByInvitation() {
  const { path, email } = await bed.invite();
  const visitor = bed.visitor();
  const account = sub();
  const page = await visitor.open(path);
  const leaving = await visitor.submit(page, start);
  const done = await throughProvider(provider, visitor, leaving, account);
  return { email, visitor, account, leaving, done, path };
}

describe("an organization's sign-in", () => {
  it('accepts the invitation of a person without an account', async () => {
    const { visitor, done, leaving, path } = await comeByInvitation();
    expect(leaving.status).toBe(200);
    expect(done.status).toBe(303);
    const account = await visitor.visit('/account');
    expect(account.status).toBe(200);
    expect((await bed.visitor().open(path)).status).toBe(404);
  });

  it('does not accept an invitation whose sender lost the right meanwhile, and does once it is regained', async () => {
    const { collections, people, org } = bed;
    const sender = await bed.member({ role: 'admin' });
    await bed.member({ role: 'admin' });
    const person = await collections.people.findOne({ email: sender.email });
    const members = await people.members.list(org.id);
    const membership = members.find(({ email }) => email === sender.email)?.id ?? '';
    const { path, email } = await bed.invite({
      by: { kind: 'person', id: person?._id ?? '', name: 'Mia Member' },
    });
    const visitor = bed.visitor();
    const account = sub();
    const accept = async (meanwhile: () => Promise<unknown>) => {
      const leaving = await visitor.submit(await visitor.open(path), start);
      await meanwhile();
      return throughProvider(provider, visitor, leaving, account);
    };
    const become = (role: OrgRole) =>
      people.members.update(org.id, membership, { role, by: OPERATOR });
    const refused = await accept(() => become('operator'));
    expect([refused.status, visitor.cookies.has('__Host-lw')]).toEqual([403, false]);
    expect(wordsOf(refused)).toContain(
      'This invitation is void: its sender may no longer grant the role operator. Ask for a new one.',
    );
    expect(await collections.people.countDocuments({ email })).toBe(0);
    const unknown = bed.visitor();
    const leaving = await unknown.open(start);
    expect((await throughProvider(provider, unknown, leaving, account)).status).toBe(401);
    expect((await accept(() => become('admin'))).status).toBe(303);
    expect((await visitor.open('/account')).status).toBe(200);
  });

  it('does not accept an invitation whose sender was removed meanwhile', async () => {
    const sender = await bed.member({ role: 'admin' });
    const person = await bed.collections.people.findOne({ email: sender.email });
    const by = { kind: 'person', id: person?._id ?? '', name: 'Mia Member' } as const;
    const { path, email } = await bed.invite({ by });
    const visitor = bed.visitor();
    const leaving = await visitor.submit(await visitor.open(path), start);
    await bed.collections.memberships.deleteMany({ person_id: person?._id ?? '' });
    const refused = await throughProvider(provider, visitor, leaving, sub());
    expect([refused.status, visitor.cookies.has('__Host-lw')]).toEqual([403, false]);
    expect(await bed.collections.people.countDocuments({ email })).toBe(0);
  });

  it('signs the same person in again, by a link that can be bookmarked', async () => {
    const { account } = await comeByInvitation();
    const visitor = bed.visitor();
    const leaving = await visitor.open(`${start}?next=%2Faccount`);
    expect(leaving.status).toBe(303);
    const done = await throughProvider(provider, visitor, leaving, account);
    expect([done.status, done.location]).toEqual([303, '/account']);
    expect((await visitor.open('/account')).status).toBe(200);
  });

  it('refuses a person with an account at the provider but no invitation', async () => {
    const visitor = bed.visitor();
    const done = await throughProvider(provider, visitor, await visitor.open(start), sub());
    expect([done.status, done.title]).toEqual([401, 'Sign-in failed · Leadwire']);
    expect(visitor.cookies.has('__Host-lw')).toBe(false);
  });

  it('does not match an account by an address that the provider sends', async () => {
    const account = sub();
    const member = await bed.member({ email: `${account}@provider.example` });
    const visitor = bed.visitor();
    const done = await throughProvider(provider, visitor, await visitor.open(start), account);
    expect(done.status).toBe(401);
    expect((await member.visitor.open('/account')).status).toBe(200);
  });

  it('is connected on the account page, and then signs in to the same account', async () => {
    const member = await bed.member();
    const account = sub();
    const page = await member.visitor.visit('/account');
    const leaving = await member.visitor.submit(page, start);
    const done = await throughProvider(provider, member.visitor, leaving, account);
    expect(done.location).toBe('/account?done=linked');
    const visitor = bed.visitor();
    await throughProvider(provider, visitor, await visitor.open(start), account);
    expect(wordsOf(await visitor.visit('/account'))).toContain(member.email);
  });

  it('is connected only after the person has recently confirmed the sign-in, and recorded', async () => {
    const member = await bed.member();
    const { _id = '' } = (await bed.collections.people.findOne({ email: member.email })) ?? {};
    const page = await member.visitor.visit('/account');
    const long = new Date(Date.now() - 3_600_000);
    await bed.collections.sessions.updateMany({ person_id: _id }, { $set: { fresh_at: long } });
    const kept = await member.visitor.submit(page, start);
    expect([kept.status, kept.location, leadsTo(kept)]).toEqual([
      303,
      '/confirm?next=/account',
      '/confirm?next=/account',
    ]);
    const shown = await member.visitor.visit('/account');
    expect(shown.text).not.toContain(start);
    expect(wordsOf(shown)).toContain('Confirm your identity to change this');
    expect(await bed.collections.identities.countDocuments({ person_id: _id })).toBe(0);
  });

  it('is listed on the account page, and disconnected there', async () => {
    const member = await bed.member();
    const account = sub();
    const leaving = await member.visitor.submit(await member.visitor.visit('/account'), start);
    await throughProvider(provider, member.visitor, leaving, account);
    const page = await member.visitor.visit('/account');
    expect(wordsOf(page)).toMatch(/Acme Leads Provider http:\/\/127\.0\.0\.1:\d+ Connected /);
    const done = await member.visitor.submit(page, '/account/sign-ins/disconnect');
    expect(done.location).toBe('/account?done=disconnected');
    const after = await member.visitor.follow(done);
    expect(wordsOf(after)).toContain("The organization's sign-in was disconnected");
    expect(wordsOf(after)).toContain('No sign-in is connected to your account.');
    const visitor = bed.visitor();
    const refused = await throughProvider(provider, visitor, await visitor.open(start), account);
    expect([refused.status, visitor.cookies.has('__Host-lw')]).toEqual([401, false]);
  });

  it('is confirmed by signing in there once more', async () => {
    const { visitor, account } = await comeByInvitation();
    await bed.collections.sessions.updateMany(
      { via: 'oidc' },
      { $set: { fresh_at: new Date(Date.now() - 3_600_000) } },
    );
    const asking = await visitor.open('/confirm?next=%2Faccount');
    const href = /href="(\/oidc[^"]+)">Sign in again/.exec(asking.text)?.[1] ?? '';
    const leaving = await visitor.open(href.replaceAll('&#38;', '&').replaceAll('&amp;', '&'));
    expect(new URL(leaving.location).searchParams.get('max_age')).toBe('60');
    const done = await throughProvider(provider, visitor, leaving, account);
    expect(done.location).toBe('/confirm?next=%2Faccount&again=1');
    expect((await visitor.follow(done)).title).toBe('Confirmed · Leadwire');
  });

  it('hides parts of the account: password, second step, other sessions', async () => {
    const { visitor } = await comeByInvitation();
    const page = await visitor.visit('/account');
    expect(wordsOf(page)).toContain('Signed in with your organization');
    expect(page.text).not.toMatch(/\/account\/(password|totp|sessions)/);
    const person = /name="person" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const path of ['/account/totp', '/account/sessions/end-others', '/account/backup-codes']) {
      expect((await visitor.post(path, { person })).status).toBe(403);
    }
  });
});

describe('the sign-in page', () => {
  const ORGANIZATION = '/sign-in/organization';
  const ask = async (organization: string, at = ORGANIZATION) => {
    const visitor = bed.visitor();
    const page = await visitor.open(at);
    return { visitor, page, answer: await visitor.submit(page, ORGANIZATION, { organization }) };
  };

  it("leads to an organization's own sign-in by its address or its id, and back to the requested page", async () => {
    const { account } = await comeByInvitation();
    const first = await bed.visitor().open('/sign-in?next=%2Faccount');
    const link = /href="([^"]*)">Sign in with your organization/.exec(first.text)?.[1] ?? '';
    expect(link).toBe(`${ORGANIZATION}?next=%2Faccount`);
    for (const typed of [`${bed.url}${start}`, `${bed.url}${start}?next=%2Fx`, ` ${bed.org.id} `]) {
      const { visitor, page, answer } = await ask(typed, link);
      expect([page.status, page.title]).toEqual([200, 'Sign in with your organization · Leadwire']);
      expect([answer.status, leadsTo(answer)]).toEqual([
        200,
        expect.stringContaining(provider.issuer),
      ]);
      const done = await throughProvider(provider, visitor, answer, account);
      expect([done.status, done.location]).toEqual([303, '/account']);
    }
  });

  it('answers the same for an unknown organization and one without a sign-in, and keeps the input', async () => {
    const { _id } = await makeOrg(bed.collections, 'Without');
    const said = new Set<string>();
    for (const typed of [_id, 'none', randomUUID()]) {
      const { answer, visitor } = await ask(typed);
      expect([answer.status, visitor.cookies.size]).toEqual([422, 0]);
      expect(answer.text).toContain(`value="${typed}"`);
      said.add(answer.text.replaceAll(typed, '…'));
    }
    expect(said.size).toBe(1);
    expect([...said][0]).toMatch(
      /id="organization-fault">No organization has this sign-in address/,
    );
  });

  it.each(['', 'pat@provider.example', 'https://provider.example', '../oidc'])(
    'refuses %j as an organization',
    async (typed) => {
      const { answer } = await ask(typed);
      expect(answer.status).toBe(422);
      expect(answer.text).toMatch(/id="organization-fault">Enter the address/);
    },
  );

  it('refuses a text of thousands of addresses as an organization, at once', async () => {
    const { answer } = await ask(`${'/oidc/a/start?'.repeat(10_000)}\nx`);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="organization-fault">Enter the address');
  }, 2_000);
});

describe('a sign-in by a provider', () => {
  it('is not started by another site: a link shows a button, and a form is refused', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const visitor = bed.visitor();
      const page = await visitor.open(`${start}?next=%2Faccount`, { 'sec-fetch-site': site });
      expect([page.status, leadsTo(page), visitor.cookies.size]).toEqual([200, '', 0]);
      const leaving = await visitor.submit(page, start);
      expect(leadsTo(leaving)).toContain(provider.issuer);
    }
    const { path } = await bed.invite();
    const invite = path.split('/').at(-1) ?? '';
    const answer = await bed.visitor().post(start, { invite }, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
  });

  it('completes only in the browser that began it', async () => {
    const { account } = await comeByInvitation();
    const [attacker, victim] = [bed.visitor(), bed.visitor()];
    const leaving = await attacker.open(start);
    const back = await provider.signIn(leadsTo(leaving), account);
    const answer = await victim.open(back, { 'sec-fetch-site': 'cross-site' });
    expect([answer.status, victim.cookies.has('__Host-lw')]).toEqual([401, false]);
  });

  it('completes once', async () => {
    const { account } = await comeByInvitation();
    const visitor = bed.visitor();
    const leaving = await visitor.open(start);
    const binding = new Map(visitor.cookies);
    const back = await provider.signIn(leadsTo(leaving), account);
    expect((await visitor.open(back, { 'sec-fetch-site': 'cross-site' })).status).toBe(303);
    const again = bed.visitor();
    for (const [name, value] of binding) again.cookies.set(name, value);
    expect((await again.open(back, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  });

  it.each(['', '?code=x', '?state=x&code=y', '?error=access_denied&state=x'])(
    'that was never begun shows a page that says so: %s',
    async (query) => {
      const answer = await bed.visitor().open(`/oidc/callback${query}`);
      expect([answer.status, answer.title]).toEqual([401, 'Sign-in failed · Leadwire']);
    },
  );

  it('of an organization without one is not found', async () => {
    const { _id } = await makeOrg(bed.collections, 'Other');
    for (const id of [_id, 'none']) {
      expect((await bed.visitor().open(`/oidc/${id}/start`)).status).toBe(404);
    }
  });
});
