/** An invitation: opened by anyone any number of times, accepted once, by its button. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createOrgKey, keyIdOf, permissionsOf } from '../../../src/account/keys/keys.js';
import type { OrgKeyDoc } from '../../../src/account/store/keyDocs.js';
import { tally } from '../../support/supplier.js';
import { OPERATOR, PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf } from './visitor.js';
import { accountOf } from '../../support/org.js';

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
  it('names the inviter, the invited person and the role, and accepts a name and a password', async () => {
    const { path, email } = await bed.invite({ role: 'analyst' });
    const guest = bed.visitor();
    const page = await guest.open(path);
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain(`Acme Leads invites ${email} to join it, as an analyst.`);
    const done = await guest.submit(page, path, JOIN);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/org\/mem_/)]);
    expect(wordsOf(await guest.open('/account'))).toContain(`Signed in as Nora New (${email})`);
  });

  it('of a partner leads to its portal', async () => {
    const { path } = await bed.member({ scope: await bed.buyer(), role: 'admin' });
    expect(path).toMatch(/^\/portal\/mem_/);
  });

  it('stays valid however often a person or a mail scanner opens it', async () => {
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

  it('that 12 browsers accept at once creates one session', async () => {
    const { path, email } = await bed.invite();
    const guests = Array.from({ length: 12 }, () => bed.visitor());
    const page = await bed.visitor().open(path);
    const answers = await Promise.all(guests.map((guest) => guest.submit(page, path, JOIN)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 303: 1, 404: 11 });
    expect(guests.filter(({ cookies }) => cookies.has('__Host-lw'))).toHaveLength(1);
    expect(await sessionsOf(email)).toBe(1);
  });

  it('does nothing once it has been accepted', async () => {
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

  it('with a wrong token shows a page that says so', async () => {
    const answer = await bed.visitor().open('/invite/none');
    expect([answer.status, answer.title]).toEqual([404, 'This link does not work · Leadwire']);
  });

  it('shows what is wrong beside its field, keeps the name, and never the password', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    const answer = await guest.submit(page, path, { name: 'Nora "N" <b>', password: 'short-pass' });
    expect([answer.status, answer.title]).toEqual([400, 'Error: You have been invited · Leadwire']);
    expect(answer.text).not.toContain('short-pass');
    expect(inputOf(answer, 'name')).toContain('value="Nora &#34;N&#34; &#60;b&#62;"');
    expect(inputOf(answer, 'password')).toMatch(
      /aria-invalid="true" aria-describedby="password-hint password-fault" autofocus/,
    );
    expect(answer.text).toMatch(/<p class="fault" id="password-fault">[^<]*at least 12 characters/);
    expect((await guest.submit(answer, path, JOIN)).status).toBe(303);
  });

  it('refuses a name of 10,000 characters, and names the limit', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    const answer = await guest.submit(page, path, { ...JOIN, name: 'n'.repeat(10_000) });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/id="name-fault">[^<]*at most 120 characters/);
  });

  it('shows the same page whether or not its address has an account', async () => {
    const { email } = await bed.member();
    const buyer = await bed.buyer();
    const [known, unknown] = await Promise.all([
      bed.invite({ email, scope: buyer, role: 'viewer' }),
      bed.invite({ scope: buyer, role: 'viewer' }),
    ]);
    const shown = async (invite: { path: string; email: string }) => {
      const { text, status } = await bed.visitor().open(invite.path);
      const sent = await bed.visitor().post(invite.path, { password: 'short' });
      const plain = (page: string) =>
        [invite.path, encodeURIComponent(invite.path), invite.email].reduce(
          (left, own) => left.replaceAll(own, '…'),
          page,
        );
      return [status, plain(text), sent.status, plain(sent.text)];
    };
    expect(await shown(known)).toEqual(await shown(unknown));
  });

  it('of a person with an account is accepted with the password of that account', async () => {
    const { email, visitor } = await bed.member();
    const { path } = await bed.invite({ email, scope: await bed.buyer(), role: 'viewer' });
    const stranger = bed.visitor();
    const page = await stranger.open(path);
    const wrong = await stranger.submit(page, path, { password: 'four words but other ones' });
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    expect(wrong.text).toMatch(/<p class="fault" id="password-fault">The password is incorrect/);
    const done = await stranger.submit(wrong, path, { password: PASSWORD });
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/portal\/mem_/)]);
    expect((await visitor.visit('/choose')).text.match(/href="\/(org|portal)\/mem_/g)).toHaveLength(
      2,
    );
  });

  it('leads a person of several memberships to the page of one organization', async () => {
    const { email, visitor } = await bed.member();
    const { path } = await bed.invite({ email, scope: await bed.buyer(), role: 'viewer' });
    const stranger = bed.visitor();
    await stranger.submit(await stranger.open(path), path, { password: PASSWORD });
    const [, id = ''] = /href="\/org\/(mem_\w+)"/.exec((await visitor.visit('/choose')).text) ?? [];
    const to = async (query: string) => {
      const { status, location, text } = await visitor.open(`/choose?${query}`);
      return status === 200
        ? [...text.matchAll(/href="(\/(?:org|portal)\/[^"]+)"/g)].length
        : location;
    };
    expect(await to(`org=${bed.org.id}`)).toBe(`/org/${id}`);
    expect(await to(`org=${bed.org.id}&page=partners%2Fbuyer%2F7-a`)).toBe(
      `/org/${id}/partners/buyer/7-a`,
    );
    // Nothing but a page of the organization.
    for (const page of ['//evil.example', '..%2Faccount', 'a?b', 'https:%2F%2Fevil.example'])
      expect(await to(`org=${bed.org.id}&page=${page}`)).toBe(`/org/${id}`);
    expect(await to('org=another')).toBe(2);
    const guest = bed.visitor();
    expect((await guest.open('/choose?org=o&page=changes')).location).toBe(
      `/sign-in?next=${encodeURIComponent('/choose?org=o&page=changes')}`,
    );
  });

  it('of a person with an account is accepted by its button once they are signed in', async () => {
    const { email } = await bed.member();
    const { path } = await bed.invite({ email, scope: await bed.buyer(), role: 'viewer' });
    const guest = bed.visitor();
    const page = await guest.open(path);
    const next = `/sign-in?next=${encodeURIComponent(path)}`;
    expect(page.text).toContain(`href="${next}"`);
    const signedIn = await signIn(guest, { email, at: next });
    expect(signedIn.location).toBe(path);
    const done = await guest.submit(await guest.follow(signedIn), path);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/portal\/mem_/)]);
  });

  it('is void once its sender is removed, or may no longer invite', async () => {
    const { collections, people, org } = bed;
    const sender = await bed.member({ role: 'admin' });
    const person = await collections.people.findOne({ email: sender.email });
    const by = { kind: 'person', id: person?._id ?? '', name: 'Mia Member' } as const;
    const invites = [
      await bed.invite({ by }),
      await bed.invite({ by, scope: await bed.buyer(), role: 'admin' }),
    ];
    const accept = async ({ path }: { path: string }) => {
      const guest = bed.visitor();
      return guest.submit(await guest.open(path), path, JOIN);
    };
    const [ofOrganization, ofBuyer] = invites;
    if (!ofOrganization || !ofBuyer) throw new Error('There are two');
    const [membership] = (await people.members.list(org.id)).filter(
      ({ email }) => email === sender.email,
    );
    await bed.member({ role: 'admin' });
    await people.members.update(org.id, membership?.id ?? '', { role: 'operator', by: OPERATOR });
    const voided = await accept(ofOrganization);
    expect(voided.status).toBe(403);
    expect(wordsOf(voided)).toContain(
      'This invitation is void: its sender may no longer grant the role operator. Ask for a new one.',
    );
    // Who changes the role vouches for it.
    const { email } = ofOrganization;
    const open = (await people.members.list(org.id)).find((member) => member.email === email);
    await people.members.update(org.id, open?.id ?? '', { role: 'analyst', by: OPERATOR });
    expect((await accept(ofOrganization)).status).toBe(303);
    // An operator can still open portals.
    await people.members.remove(org.id, membership?.id ?? '');
    expect((await accept(ofBuyer)).status).toBe(403);
    expect(await collections.people.countDocuments({ email: ofBuyer.email })).toBe(0);
  });

  it.each([
    ['of a key that is live', {}, 303],
    ['of a key that was revoked', { revoked_at: new Date() }, 403],
    ['of a key that has expired', { expires_at: new Date(0) }, 403],
    ['of a key without the permission', { permissions: ['leads:write'] as const }, 403],
    ['of a key without the rights of its role', { permissions: ['settings:write'] as const }, 403],
  ])('%s is answered as the key still may', async (_of, change, status) => {
    const { key } = await createOrgKey(accountOf(bed, bed.org.id), {
      name: randomUUID(),
      permissions: permissionsOf('write'),
    });
    const by = { kind: 'key', id: keyIdOf(key), name: key.name } as const;
    const { path } = await bed.invite({ by });
    const set = change as Partial<OrgKeyDoc>;
    if (Object.keys(set).length > 0)
      await bed.collections.apiKeys.updateOne({ _id: key._id }, { $set: set });
    const guest = bed.visitor();
    expect((await guest.submit(await guest.open(path), path, JOIN)).status).toBe(status);
  });

  it.each([
    ['admin', ['portal:write'], 403],
    ['admin', ['portal:write', 'leads:write', 'buyers:read'], 403],
    ['viewer', ['portal:write', 'buyers:write'], 403],
    ['viewer', ['portal:write', 'leads:read', 'buyers:read'], 303],
    ['admin', ['portal:write', 'leads:write', 'buyers:write'], 303],
  ] as const)('as %s of a portal by a key with %j alone is answered %i', async (...row) => {
    const [role, permissions, status] = row;
    const name = randomUUID();
    const { key } = await createOrgKey(accountOf(bed, bed.org.id), {
      name,
      permissions: [...permissions],
    });
    const by = { kind: 'key', id: keyIdOf(key), name } as const;
    const { path, email } = await bed.invite({ by, role, scope: await bed.buyer() });
    const guest = bed.visitor();
    expect((await guest.submit(await guest.open(path), path, JOIN)).status).toBe(status);
    expect(await sessionsOf(email)).toBe(status === 303 ? 1 : 0);
  });

  it('is not accepted by another signed-in person', async () => {
    const other = await bed.member();
    const { path, email } = await bed.invite();
    const page = await other.visitor.open(path);
    expect(wordsOf(page)).toContain('The invitation is for another account.');
    expect(page.text).not.toContain('Accept invitation');
    expect(await bed.collections.people.countDocuments({ email })).toBe(0);
  });

  it('accepts nothing for a person who has meanwhile signed in in another tab', async () => {
    const first = await bed.member();
    const { path } = await bed.invite({
      email: first.email,
      scope: await bed.buyer(),
      role: 'viewer',
    });
    const page = await first.visitor.open(path);
    const second = await bed.member();
    await signIn(first.visitor, { email: second.email, at: '/sign-in?again=1' });
    const answer = await first.visitor.submit(page, path);
    expect([answer.status, answer.title]).toEqual([
      409,
      'Another person is signed in now · Leadwire',
    ]);
    expect(wordsOf(answer)).toContain(`this browser is now signed in as ${second.email}`);
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
