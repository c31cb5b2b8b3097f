/** A forgotten password. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anEmail, PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { wordsOf } from './visitor.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

const NEW_PASSWORD = 'five words that fit together';
const ask = async (email: string) => {
  const visitor = bed.visitor();
  return visitor.submit(await visitor.open('/recover'), '/recover', { email });
};

describe('a forgotten password', () => {
  it('is replaced by a mailed link, which ends every session and signs in', async () => {
    const { email, visitor } = await bed.member();
    expect((await ask(email)).status).toBe(200);
    const path = await bed.mailedPath(email);
    const other = bed.visitor();
    const page = await other.open(path);
    expect(wordsOf(page)).toContain(`For ${email}.`);
    const done = await other.submit(page, path, { password: NEW_PASSWORD });
    expect([done.status, done.location]).toEqual([303, '/choose']);
    expect((await other.open('/account')).status).toBe(200);
    expect((await visitor.open('/account')).status).toBe(303);
    expect((await signIn(bed.visitor(), { email })).status).toBe(401);
    expect((await signIn(bed.visitor(), { email, password: NEW_PASSWORD })).status).toBe(303);
  });

  it('is answered the same for an unknown address, which gets no mail', async () => {
    const { email } = await bed.member();
    const stranger = anEmail();
    const [known, unknown] = [await ask(email), await ask(stranger)];
    expect([known.status, wordsOf(known)]).toEqual([unknown.status, wordsOf(unknown)]);
    await bed.mailedPath(email);
    expect(bed.mailsTo(stranger)).toBe(0);
  });

  it('has a link that stays valid when it is opened, and works once', async () => {
    const { email } = await bed.member();
    await ask(email);
    const path = await bed.mailedPath(email);
    const visitor = bed.visitor();
    for (let count = 0; count < 3; count += 1) await bed.visitor('MailScanner/1.0').open(path);
    const page = await visitor.open(path);
    expect((await signIn(bed.visitor(), { email })).status).toBe(303);
    const attempts = Array.from({ length: 10 }, () =>
      bed.visitor().submit(page, path, { password: NEW_PASSWORD }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect((await bed.visitor().open(path)).status).toBe(404);
  });

  it('is not replaced by one that is too short, and the link stays valid', async () => {
    const { email } = await bed.member();
    await ask(email);
    const path = await bed.mailedPath(email);
    const visitor = bed.visitor();
    const wrong = await visitor.submit(await visitor.open(path), path, { password: 'short' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toMatch(/id="password-fault">[^<]*at least 12 characters/);
    expect((await visitor.submit(wrong, path, { password: NEW_PASSWORD })).status).toBe(303);
  });

  it('is not replaced by a form of another site', async () => {
    const { email } = await bed.member();
    await ask(email);
    const path = await bed.mailedPath(email);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await bed.visitor().post(path, { password: NEW_PASSWORD }, headers)).status).toBe(403);
    expect((await signIn(bed.visitor(), { email, password: PASSWORD })).status).toBe(303);
  });
});

describe('without a mail server', () => {
  it('the page names the person who can help', async () => {
    const unmailed = await startPagesBed({ SMTP_URL: '', SMTP_FROM: '' });
    const page = await unmailed.visitor().open('/recover');
    expect(wordsOf(page)).toContain('This installation does not send email.');
    expect(page.text).not.toContain('<form');
    await unmailed.stop();
  });
});
