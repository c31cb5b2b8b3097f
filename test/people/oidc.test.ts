/** Sign-in by an organization's own provider: a real one, on this machine. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OidcStart } from '../../src/people/oidc/oidc.js';
import { OIDC_COOKIE } from '../../src/people/types.js';
import { createOutboundHttp } from '../../src/platform/outbound/http.js';
import { cookieIn, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';
import { CLIENT, startProvider } from './provider.js';

interface Refusal {
  code: string;
}

/** Follows redirects like a browser: from the first address, with the provider's cookies, to the callback. */
async function browse({ url, cookies }: OidcStart) {
  const jar = new Map<string, string>();
  let at = url;
  for (let n = 0; n < 10 && !at.startsWith('http://127.0.0.1:8080/'); n++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const one of answer.headers.getSetCookie()) {
      const [pair = ''] = one.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    at = new URL(answer.headers.get('location') ?? '', at).href;
  }
  return { query: new URL(at).searchParams, binding: cookieIn(cookies, OIDC_COOKIE) };
}

describe("signing in by an organization's provider", () => {
  let bed: PeopleBed;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let org: string;
  beforeAll(async () => {
    bed = await openPeople();
    provider = await startProvider('http://127.0.0.1:8080/oidc/callback');
    org = await bed.org();
    const settings = { issuer: provider.issuer, ...CLIENT, is_enabled: true };
    const shown = await bed.people.oidc.configure(org, settings);
    expect(JSON.stringify(shown)).not.toContain(CLIENT.client_secret);
  });
  afterAll(async () => {
    await bed.stop();
    await provider.stop();
  });

  const through = async (
    account: string,
    use: Parameters<typeof bed.people.oidc.start>[1] = {},
  ) => {
    provider.signedIn.account = account;
    const { query, binding } = await browse(await bed.people.oidc.start(org, use, newPlace()));
    return { query, binding, finish: () => bed.people.oidc.finish(query, binding, newPlace()) };
  };

  it('accepts an invitation once, and identifies the person by the subject from then on', async () => {
    const { token: invite, email } = await bed.invite(org, 'operator');
    const first = await (await through('known', { invite, return_to: '/account' })).finish();
    expect(first).toMatchObject({ state: 'signed_in', return_to: '/account' });
    const signedIn = await bed.read(cookieIn(first.cookies));
    expect(signedIn).toMatchObject({ person: { email }, via: 'oidc', oidc_org_id: org });
    const again = await (await through('known', { return_to: '//evil.example' })).finish();
    expect(again.return_to).toBe('/choose');
    expect(await bed.read(cookieIn(again.cookies))).toMatchObject({ person: { email } });
    const spent = through('another', { invite }).then(({ finish }) => finish());
    await expect(spent).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not match an account by an address that the provider claims', async () => {
    await bed.join(org, 'admin', 'victim@example.com');
    const { finish } = await through('stranger');
    await expect(finish()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('accepts a callback once, and only in the browser that began', async () => {
    const { query, binding, finish } = await through('known');
    const elsewhere = await through('known');
    const foreign = bed.people.oidc.finish(query, elsewhere.binding, newPlace());
    await expect(foreign).rejects.toMatchObject({ code: 'unauthorized' });
    const none = bed.people.oidc.finish(query, undefined, newPlace());
    await expect(none).rejects.toMatchObject({ code: 'unauthorized' });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => finish()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(binding).toHaveLength(43);
  });

  it('acts for its own organization alone, and changes nothing of the account', async () => {
    const other = await bed.org();
    const person = await bed.join(other);
    const { token: invite } = await bed.invite(org, 'viewer', person.email);
    await bed.people.invites.accept(invite, {}, person.signedIn, newPlace());
    await (await through('linked', { link: person.signedIn })).finish();
    const { cookies } = await (await through('linked')).finish();
    const signedIn = await bed.read(cookieIn(cookies));
    if (!signedIn) throw new Error('nobody is signed in');
    expect(signedIn.person.id).toBe(person.signedIn.person.id);
    expect(await bed.people.memberships(signedIn)).toMatchObject([{ org_id: org }]);
    await expect(bed.people.membership(signedIn, person.membership_id)).rejects.toMatchObject({
      code: 'not_found',
    });
    const input = { current_password: 'x', password: 'a new one of words' };
    const refused = await Promise.allSettled([
      bed.people.account.changePassword(signedIn, input, newPlace()),
      bed.people.account.beginTotp(signedIn),
      bed.people.sessions.list(signedIn),
      bed.people.sessions.revokeOthers(signedIn),
      bed.people.confirmFresh(signedIn, { password: 'x' }, newPlace()),
    ]);
    const codes = refused.map((one) => one.status === 'rejected' && (one.reason as Refusal).code);
    expect(codes).toEqual(refused.map(() => 'forbidden'));
  });

  it('is connected only in a fresh session, which still goes on when the browser is back', async () => {
    const person = await bed.join(org);
    const { identities } = bed.people.oidc;
    const stale = { ...person.signedIn, is_fresh: false };
    await expect(through('mine', { link: stale })).rejects.toMatchObject({ code: 'forbidden' });
    for (const end of [
      () => bed.people.signOut(person.token),
      () => {
        const input = { current_password: PASSWORD, password: 'another one of words' };
        return bed.people.account.changePassword(person.signedIn, input, newPlace());
      },
    ]) {
      const { finish } = await through('mine', { link: person.signedIn });
      await end();
      await expect(finish()).rejects.toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('The session that started this has ended.') as unknown,
      });
    }
    expect(await identities.list(person.signedIn)).toEqual([]);
    expect(await bed.db.identities.countDocuments({ subject: 'mine' })).toBe(0);
  });

  it('is listed and disconnected by the person alone, and its sessions end at once', async () => {
    const { identities } = bed.people.oidc;
    const [person, other] = [await bed.join(org), await bed.join(org)];
    await (await through('to end', { link: person.signedIn })).finish();
    const { cookies } = await (await through('to end')).finish();
    const [one, ...more] = await identities.list(person.signedIn);
    const { issuer } = provider;
    expect([one, more]).toMatchObject([{ org_id: org, organization: 'Acme', issuer }, []]);
    const id = one?.id ?? '';
    const byProvider = await bed.read(cookieIn(cookies));
    if (!byProvider) throw new Error('nobody is signed in');
    const stale = { ...person.signedIn, is_fresh: false };
    const refusals = [
      [identities.disconnect(stale, id), 'forbidden'],
      [identities.disconnect(byProvider, id), 'forbidden'],
      [identities.list(byProvider), 'forbidden'],
      [identities.disconnect(other.signedIn, id), 'not_found'],
    ] as const;
    for (const [refused, code] of refusals) await expect(refused).rejects.toMatchObject({ code });
    const { finish } = await through('to end');
    await identities.disconnect(person.signedIn, id);
    expect(await bed.read(cookieIn(cookies))).toBeNull();
    expect(await identities.list(person.signedIn)).toEqual([]);
    await expect(finish()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('ends its sessions when the organization turns it off', async () => {
    const { cookies } = await (await through('known')).finish();
    expect(await bed.read(cookieIn(cookies))).not.toBeNull();
    const { issuer } = provider;
    const { client_id } = CLIENT;
    await bed.people.oidc.configure(org, { issuer, client_id, is_enabled: false });
    expect(await bed.read(cookieIn(cookies))).toBeNull();
    const refused = bed.people.oidc.start(org, {}, newPlace());
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    await bed.people.oidc.configure(org, { issuer, client_id, is_enabled: true });
    expect(await (await through('known')).finish()).toMatchObject({ state: 'signed_in' });
  });

  it('asks no provider on a private address unless the installation allows it', async () => {
    const outbound = createOutboundHttp({ allowPrivate: false });
    const strict = await openPeople({ on: bed.on, allowPrivate: false, outbound });
    const settings = { client_id: 'x', is_enabled: true };
    for (const issuer of [
      'http://127.0.0.1:1',
      'https://10.0.0.1',
      'ftp://example.com',
      'nothing',
    ]) {
      const refused = strict.people.oidc.configure(org, { ...settings, issuer });
      await expect(refused).rejects.toMatchObject({ extras: { details: [{ path: 'issuer' }] } });
    }
    const started = strict.people.oidc.start(org, {}, newPlace());
    await expect(started).rejects.toMatchObject({ code: 'unavailable' });
    await outbound.close();
    await strict.stop();
  });
});
