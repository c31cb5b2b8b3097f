/** Signing in and out with a password. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anEmail, PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf } from './visitor.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

describe('signing in', () => {
  it('leads a person with one membership straight to it', async () => {
    const { email, path } = await bed.member();
    const visitor = bed.visitor();
    const answer = await signIn(visitor, { email });
    expect([answer.status, answer.location]).toEqual([303, '/choose']);
    expect((await visitor.open('/choose')).location).toBe(path);
  });

  it('lets a person with several memberships choose one, each one click away', async () => {
    const { email, visitor, path } = await bed.member();
    const invited = await bed.invite({
      email,
      scope: await bed.buyer(),
      role: 'viewer',
    });
    const accepted = await visitor.submit(await visitor.open(invited.path), invited.path);
    const page = await visitor.visit('/choose');
    expect(page.status).toBe(200);
    expect(page.text).toContain(`href="${path}"`);
    expect(page.text).toContain(`href="${accepted.location}"`);
    expect(wordsOf(page)).toContain('Acme Leads');
  });

  it('sets a cookie that no script can read and no other site can send', async () => {
    const { email } = await bed.member();
    const visitor = bed.visitor();
    const [line = ''] = ((await signIn(visitor, { email })).headers['set-cookie'] ?? []).filter(
      (one) => one.startsWith('__Host-lw='),
    );
    expect(line).toMatch(/; Secure/i);
    expect(line).toMatch(/; HttpOnly/i);
    expect(line).toMatch(/; SameSite=Lax/i);
    expect(line).toMatch(/; Path=\/(;|$)/i);
    expect(line).not.toMatch(/domain=/i);
  });

  it('answers the same for an unknown address as for a wrong password, and keeps only the address', async () => {
    const { email } = await bed.member();
    const [wrong, unknown] = await Promise.all([
      signIn(bed.visitor(), { email, password: 'not the password' }),
      signIn(bed.visitor(), { email: anEmail(), password: 'not the password' }),
    ]);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wordsOf(wrong).replace(email, '')).toBe(wordsOf(unknown).replace(email, ''));
    expect(inputOf(wrong, 'email')).toContain(`value="${email}"`);
    expect(wrong.text).not.toContain('not the password');
    expect(wrong.title).toBe('Error: Sign in · Leadwire');
    expect(wrong.text).toContain('role="alert" tabindex="-1" autofocus');
  });

  it('names each empty field, and puts the cursor into the first', async () => {
    const visitor = bed.visitor();
    const answer = await visitor.submit(await visitor.open('/sign-in'), '/sign-in', {
      email: '',
      password: '',
    });
    expect(answer.status).toBe(400);
    expect(inputOf(answer, 'email')).toMatch(
      /aria-invalid="true" aria-describedby="email-fault" autofocus/,
    );
    expect(inputOf(answer, 'password')).toMatch(
      /aria-invalid="true" aria-describedby="password-fault"$/,
    );
  });

  it('continues to the requested page, and never to another site', async () => {
    const { email } = await bed.member();
    const wanted = await signIn(bed.visitor(), {
      email,
      at: '/sign-in?next=%2Faccount%3Fdone%3Dname',
    });
    expect(wanted.location).toBe('/account?done=name');
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const path = `/sign-in?next=${encodeURIComponent(next)}`;
      expect((await signIn(bed.visitor(), { email, at: path })).location).toBe('/choose');
    }
  });

  it('is refused after too many attempts, for a known or unknown address, and says for how long', async () => {
    const { email } = await bed.member();
    const statuses: number[] = [];
    let last;
    for (let count = 0; count < 8; count += 1) {
      last = await signIn(bed.visitor(), { email, password: 'a wrong password' });
      statuses.push(last.status);
    }
    expect(statuses).toContain(429);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect(inputOf(last ?? (await bed.visitor().open('/')), 'email')).toContain(email);
  });

  it('is refused to a page of another site', async () => {
    const { email } = await bed.member();
    const visitor = bed.visitor();
    const answer = await visitor.post(
      '/sign-in',
      { email, password: PASSWORD },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    );
    expect([answer.status, visitor.cookies.size]).toEqual([403, 0]);
  });
});

describe('a signed-in person', () => {
  it('goes on from the sign-in page, and from addresses without a membership', async () => {
    const { visitor } = await bed.member();
    const leadsTo = async (path: string) => (await visitor.open(path)).location;
    expect(await leadsTo('/sign-in?next=/account')).toBe('/account');
    expect(await Promise.all(['/sign-in', '/org', '/portal'].map(leadsTo))).toEqual([
      '/choose',
      '/choose',
      '/choose',
    ]);
    expect((await bed.visitor().open('/org')).location).toBe('/sign-in?next=%2Fchoose');
  });

  it('is named on the sign-in page, which replaces their session when another signs in', async () => {
    const [first, second] = await Promise.all([bed.member(), bed.member()]);
    const page = await first.visitor.open('/sign-in?again=1');
    expect(wordsOf(page)).toContain(`You are signed in as ${first.email}.`);
    const before = first.visitor.cookies.get('__Host-lw') ?? '';
    await first.visitor.submit(page, '/sign-in', { email: second.email, password: PASSWORD });
    expect(wordsOf(await first.visitor.visit('/account'))).toContain(`(${second.email})`);
    const old = bed.visitor();
    old.cookies.set('__Host-lw', before);
    expect((await old.open('/account')).location).toBe('/sign-in?next=%2Faccount');
  });

  it('signs out by a button, even without a body, and the session is no longer valid', async () => {
    const { visitor } = await bed.member();
    const token = visitor.cookies.get('__Host-lw') ?? '';
    const page = await visitor.visit('/account');
    const answer = await visitor.submit(page, '/sign-out');
    expect([answer.status, answer.location]).toEqual([303, '/sign-in?done=signed-out']);
    expect(wordsOf(await visitor.follow(answer))).toContain('You are signed out.');
    expect(visitor.cookies.has('__Host-lw')).toBe(false);
    visitor.cookies.set('__Host-lw', token);
    expect((await visitor.open('/account')).status).toBe(303);
    expect((await visitor.post('/sign-out', {})).status).toBe(303);
  });

  it('is not signed out by opening an address, or by another site', async () => {
    const { visitor } = await bed.member();
    await visitor.open('/sign-out');
    await visitor.post('/sign-out', {}, { 'sec-fetch-site': 'cross-site' });
    expect((await visitor.open('/account')).status).toBe(200);
  });
});

describe('the bare address', () => {
  it('leads signed-in people to their own pages and others to the sign-in page', async () => {
    const { visitor } = await bed.member();
    expect((await visitor.open('/')).location).toBe('/choose');
    expect((await bed.visitor().open('/')).location).toBe('/sign-in');
  });

  it('describes the service to programs', async () => {
    const answer = await bed.visitor().open('/', { accept: '*/*' });
    expect([answer.status, answer.location]).toEqual([302, '/docs']);
    expect(JSON.parse(answer.text)).toMatchObject({ openapi: '/api/v1/openapi.json' });
  });
});

describe('every page', () => {
  it.each([
    '/sign-in',
    '/recover',
    '/invite/none',
    '/setup/none',
    '/recover/none',
    '/oidc/none/start',
  ])(
    '%s runs no script, loads nothing from other hosts, and is neither framed nor cached',
    async (path) => {
      const { headers, text } = await bed.visitor().open(path, { 'sec-fetch-site': 'cross-site' });
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(text).not.toMatch(/<script|<style| style=| on\w+=|https?:\/\//);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    },
  );

  it('has a compressed stylesheet that browsers cache forever', async () => {
    const { text } = await bed.visitor().open('/sign-in');
    const path = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? '';
    const plain = await bed.visitor().open(path);
    expect(plain.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.text).toContain('light-dark(');
    const packed = await bed.visitor().open(path, { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
  });
});

describe('an address without a page', () => {
  it('shows a page to a browser, and JSON to a program', async () => {
    const page = await bed.visitor().open('/no/such/place');
    expect([page.status, page.title]).toEqual([404, 'Page not found · Leadwire']);
    const program = await bed.visitor().open('/no/such/place', { accept: '*/*' });
    expect(JSON.parse(program.text)).toMatchObject({ error: 'not_found' });
  });

  it('is marked by a picture of its own, which tabs show too', async () => {
    const { text } = await bed.visitor().open('/sign-in');
    const [, path = ''] = /rel="icon"[^>]*href="([^"]+)"/.exec(text) ?? [];
    const picture = await bed.visitor().open(path);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });
});
