/** Two-step sign-in: turned on on the account page, required at sign-in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { PASSWORD, signIn, startPagesBed, type Member, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf, type PageView } from './visitor.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

const STEP_SECONDS = 30;
/** @param steps after the current one: a code works once, and codes of earlier steps are refused after it */
const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP_SECONDS });

async function begun({ visitor }: Member): Promise<{ page: PageView; secret: string }> {
  const page = await visitor.submit(await visitor.visit('/account'), '/account/totp');
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
  return { page, secret };
}

/** A member with two-step sign-in turned on. */
async function guarded(): Promise<Member & { secret: string; codes: string[] }> {
  const member = await bed.member();
  const { page, secret } = await begun(member);
  const done = await member.visitor.submit(page, '/account/totp/confirm', { code: codeOf(secret) });
  const codes = [...done.text.matchAll(/<li>([a-z0-9]+-[a-z0-9]+)<\/li>/g)].map(
    ([, code = '']) => code,
  );
  return { ...member, secret, codes };
}

describe('turning two-step sign-in on', () => {
  it('shows the key as a picture and as text, and changes nothing yet', async () => {
    const member = await bed.member();
    const { page, secret } = await begun(member);
    expect(secret).toMatch(/^[A-Z2-7]{16,}$/);
    const picture = /<img class="qr" src="data:image\/svg\+xml;base64,([^"]+)" alt="[^"]+"/.exec(
      page.text,
    )?.[1];
    expect(Buffer.from(picture ?? '', 'base64').toString()).toMatch(/^<svg /);
    expect(wordsOf(await member.visitor.visit('/account'))).toContain('Off. When on');
    expect((await signIn(bed.visitor(), member)).location).toBe('/choose');
  });

  it('shows the same key again with a wrong code, and ten backup codes once with the right one', async () => {
    const member = await bed.member();
    const { visitor } = member;
    const { page, secret } = await begun(member);
    const wrong = await visitor.submit(page, '/account/totp/confirm', { code: '000000' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="code-fault"');
    expect(wrong.text.replaceAll(' ', '')).toContain(`<code>${secret}</code>`);
    const done = await visitor.submit(wrong, '/account/totp/confirm', { code: codeOf(secret) });
    expect(wordsOf(done)).toContain('Two-step sign-in is on.');
    const codes = done.text.match(/<li>[a-z0-9-]+<\/li>/g) ?? [];
    expect(new Set(codes).size).toBe(10);
    const account = await visitor.visit('/account');
    expect(wordsOf(account)).toContain('10 backup codes are left.');
    for (const code of codes) expect(account.text).not.toContain(code);
  });

  it('ends the other sessions of the person', async () => {
    const member = await bed.member();
    const elsewhere = bed.visitor();
    await signIn(elsewhere, member);
    const { page, secret } = await begun(member);
    await member.visitor.submit(page, '/account/totp/confirm', { code: codeOf(secret) });
    expect((await elsewhere.open('/account')).status).toBe(303);
    expect((await member.visitor.open('/account')).status).toBe(200);
  });
});

describe('accepting an invitation with the second step on', () => {
  it('requires the password and the code, and accepts only then', async () => {
    const { email, secret } = await guarded();
    const { path } = await bed.invite({ email, scope: await bed.buyer(), role: 'viewer' });
    const visitor = bed.visitor();
    const asked = await visitor.submit(await visitor.open(path), path, { password: PASSWORD });
    expect([asked.status, asked.location]).toEqual([
      303,
      `/sign-in/code?next=${encodeURIComponent(path)}`,
    ]);
    const page = await visitor.open(asked.location);
    const entered = await visitor.submit(page, '/sign-in/code', { code: codeOf(secret, 1) });
    expect(entered.location).toBe(path);
    const done = await visitor.submit(await visitor.open(path), path);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/portal\/mem_/)]);
  });
});

describe('signing in with the second step on', () => {
  it('asks for a code before any page opens', async () => {
    const { email, secret } = await guarded();
    const visitor = bed.visitor();
    const answer = await signIn(visitor, { email, at: '/sign-in?next=%2Faccount' });
    expect(answer.location).toBe('/sign-in/code?next=%2Faccount');
    expect((await visitor.open('/account')).status).toBe(303);
    const page = await visitor.follow(answer);
    expect(inputOf(page, 'code')).toContain('autocomplete="one-time-code"');
    const done = await visitor.submit(page, '/sign-in/code', { code: codeOf(secret, 1) });
    expect([done.status, done.location]).toEqual([303, '/account']);
    expect((await visitor.open('/account')).status).toBe(200);
  });

  it('accepts a code once, however many browsers send it at the same time', async () => {
    const { email, secret } = await guarded();
    const visitors = Array.from({ length: 4 }, () => bed.visitor());
    const pages = await Promise.all(
      visitors.map(async (visitor) => visitor.follow(await signIn(visitor, { email }))),
    );
    const code = codeOf(secret, 1);
    const answers = await Promise.all(
      visitors.map((visitor, at) =>
        visitor.submit(pages[at] as PageView, '/sign-in/code', { code }),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('accepts a backup code once', async () => {
    const { email, codes } = await guarded();
    const use = async () => {
      const visitor = bed.visitor();
      const page = await visitor.follow(await signIn(visitor, { email }));
      return visitor.submit(page, '/sign-in/code', { code: codes[0] ?? '' });
    };
    expect((await use()).status).toBe(303);
    const again = await use();
    expect([again.status, again.title]).toEqual([401, 'Error: Enter your code · Leadwire']);
    expect(again.text).toContain('id="code-fault"');
    expect(again.text).not.toContain(codes[0]);
  });

  it('begins again when no sign-in waits for a code', async () => {
    const visitor = bed.visitor();
    expect((await visitor.open('/sign-in/code')).location).toBe('/sign-in');
    const answer = await visitor.post('/sign-in/code', { code: '123456' });
    expect(answer.location).toBe('/sign-in?done=ended');
  });
});

describe('two-step sign-in that is on', () => {
  it('gets new backup codes, and the earlier ones are no longer valid', async () => {
    const { email, visitor, codes } = await guarded();
    const page = await visitor.submit(await visitor.visit('/account'), '/account/backup-codes');
    expect(page.text.match(/<li>[a-z0-9-]+<\/li>/g)).toHaveLength(10);
    const other = bed.visitor();
    const asked = await other.follow(await signIn(other, { email }));
    expect((await other.submit(asked, '/sign-in/code', { code: codes[1] ?? '' })).status).toBe(401);
  });

  it('is turned off by a code, not by a wrong one', async () => {
    const { email, visitor, codes } = await guarded();
    const page = await visitor.visit('/account');
    const wrong = await visitor.submit(page, '/account/totp/off', { code: 'aaaaa-aaaaa' });
    expect([wrong.status, wrong.title]).toEqual([401, 'Error: Your account · Leadwire']);
    expect(inputOf(wrong, 'code')).toContain('aria-invalid="true"');
    const done = await visitor.submit(wrong, '/account/totp/off', { code: codes[2] ?? '' });
    expect(wordsOf(await visitor.follow(done))).toContain('Two-step sign-in is off.');
    expect((await signIn(bed.visitor(), { email })).location).toBe('/choose');
  });

  it('is changed only after the person has recently confirmed the sign-in', async () => {
    const { email, visitor, codes } = await guarded();
    const person = await bed.collections.people.findOne({ email });
    const long = new Date(Date.now() - 3_600_000);
    await bed.collections.sessions.updateMany(
      { person_id: person?._id ?? '' },
      { $set: { fresh_at: long } },
    );
    const page = await visitor.visit('/account');
    expect(page.text).not.toContain('action="/account/totp/off"');
    const refused = await visitor.post('/account/backup-codes', { person: person?._id ?? '' });
    expect(refused.status).toBe(403);
    const asked = await visitor.visit('/confirm?next=%2Faccount');
    expect((await visitor.submit(asked, '/confirm', { code: 'bbbbb-bbbbb' })).status).toBe(401);
    const done = await visitor.submit(asked, '/confirm', { code: codes[3] ?? '' });
    expect(done.location).toBe('/account');
    expect((await visitor.follow(done)).text).toContain('action="/account/totp/off"');
  });
});
