/** The account page: name, password, sessions. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, signIn, startPagesBed, type Member, type PagesBed } from './pagesBed.js';
import { inputOf, wordsOf, type PageView } from './visitor.js';

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

const NEW_PASSWORD = 'five words that fit together';
const send = async ({ visitor }: Member, action: string, values: Record<string, string>) =>
  visitor.submit(await visitor.visit('/account'), action, values);

describe('the account page', () => {
  it('is only for signed-in people, and opens after signing in', async () => {
    expect((await bed.visitor().open('/account')).location).toBe('/sign-in?next=%2Faccount');
  });

  it('changes the name, whatever it contains', async () => {
    const member = await bed.member();
    const name = 'Zoë <img src=x onerror=alert(1)> "م"';
    const done = await send(member, '/account/name', { name });
    const page = await member.visitor.follow(done);
    expect(wordsOf(page)).toContain('Your name was saved.');
    expect(page.text).not.toContain('<img src=x');
    expect(wordsOf(page)).toContain(`Signed in as ${name}`);
  });

  it.each([
    ['', 'must not be empty'],
    ['n'.repeat(10_000), 'at most 120 characters'],
  ])('refuses a name and keeps what was typed', async (name, words) => {
    const member = await bed.member();
    const page = await send(member, '/account/name', { name });
    expect(page.status).toBe(400);
    expect(page.text).toMatch(new RegExp(`id="name-fault">[^<]*${words}`));
    expect(inputOf(page, 'name')).toContain(`value="${name}"`);
  });

  it('changes the password with the current one, and ends the other sessions', async () => {
    const member = await bed.member();
    const elsewhere = bed.visitor();
    await signIn(elsewhere, member);
    const values = { current_password: PASSWORD, password: NEW_PASSWORD };
    const done = await send(member, '/account/password', values);
    expect(wordsOf(await member.visitor.follow(done))).toContain('Your password was changed.');
    expect((await elsewhere.open('/account')).status).toBe(303);
    expect((await signIn(bed.visitor(), { ...member, password: NEW_PASSWORD })).status).toBe(303);
  });

  it.each([
    [{ current_password: 'not the password', password: NEW_PASSWORD }, 401, 'current_password'],
    [{ current_password: PASSWORD, password: 'short' }, 400, 'password'],
  ])('refuses a password, and marks the field at fault', async (values, status, field) => {
    const member = await bed.member();
    const page = await send(member, '/account/password', values);
    expect([page.status, page.title]).toEqual([status, 'Error: Your account · Leadwire']);
    expect(inputOf(page, field)).toMatch(/aria-invalid="true".* autofocus/);
    expect(page.text).not.toContain(values.password);
    expect((await signIn(bed.visitor(), member)).status).toBe(303);
  });

  it('lists the sessions with device and address, and ends one of them', async () => {
    const member = await bed.member();
    const phone = bed.visitor(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
    );
    await signIn(phone, member);
    const page = await member.visitor.visit('/account');
    expect(wordsOf(page)).toContain('Safari on iPhone');
    expect(wordsOf(page)).toContain('Firefox on Linux (this session)');
    expect(page.text.match(/<dd>127\.0\.0\.1<\/dd>/g)).toHaveLength(2);
    await member.visitor.submit(page, '/account/sessions/end');
    expect((await phone.open('/account')).status).toBe(303);
    expect((await member.visitor.open('/account')).status).toBe(200);
  });

  it('ends all other sessions at once', async () => {
    const member = await bed.member();
    const others = [bed.visitor(), bed.visitor()];
    for (const other of others) await signIn(other, member);
    await send(member, '/account/sessions/end-others', {});
    for (const other of others) expect((await other.open('/account')).status).toBe(303);
    expect((await member.visitor.open('/account')).status).toBe(200);
  });

  it("does not end a stranger's session", async () => {
    const [member, stranger] = await Promise.all([bed.member(), bed.member()]);
    const person = await bed.collections.people.findOne({ email: stranger.email });
    const theirs = await bed.collections.sessions.findOne({ person_id: person?._id ?? '' });
    const elsewhere = bed.visitor();
    await signIn(elsewhere, member);
    const values = { session: theirs?.id ?? '' };
    expect((await send(member, '/account/sessions/end', values)).status).toBe(404);
    expect((await stranger.visitor.open('/account')).status).toBe(200);
  });

  it.each(['/account/name', '/account/password', '/account/totp', '/account/sessions/end-others'])(
    'does nothing at %s for an account that another tab has replaced',
    async (action) => {
      const [first, second] = await Promise.all([bed.member(), bed.member()]);
      const elsewhere = bed.visitor();
      await signIn(elsewhere, second);
      const page = await first.visitor.visit('/account');
      await signIn(first.visitor, second);
      const values = { name: 'Taken Over', current_password: PASSWORD, password: NEW_PASSWORD };
      const hidden = { person: personIn(page), ...values };
      const answer = await first.visitor.post(action, hidden);
      expect([answer.status, answer.title]).toEqual([
        409,
        'Another person is signed in now · Leadwire',
      ]);
      const person = await bed.collections.people.findOne({ email: second.email });
      expect(person?.name).toBe('Mia Member');
      expect((await elsewhere.open('/account')).status).toBe(200);
    },
  );

  it.each(['/account/name', '/account/totp/confirm', '/confirm'])(
    'redirects to the sign-in without a session, at %s',
    async (action) => {
      const answer = await bed.visitor().post(action, { person: 'per_x' });
      expect([answer.status, answer.location]).toEqual([
        303,
        expect.stringMatching(/^\/sign-in\?next=/),
      ]);
    },
  );
});

const personIn = ({ text }: PageView): string =>
  /name="person" value="([^"]+)"/.exec(text)?.[1] ?? '';
