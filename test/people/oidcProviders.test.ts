/** What an organization's provider says is checked: who signed it, when the person signed in, and how it is asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OIDC_COOKIE } from '../../src/people/types.js';
import { cookieIn, newPlace, openPeople, type Arrived, type PeopleBed } from './bed.js';
import { FAKE_CLIENT, startFakeProvider, type FakeProvider } from './fakeProvider.js';

const MINUTE_SECONDS = 60;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

let bed: PeopleBed;
let provider: FakeProvider;
let org: string;
let person: Arrived;
beforeAll(async () => {
  bed = await openPeople();
  provider = await startFakeProvider();
  org = await bed.org();
  person = await bed.join(org);
});
afterAll(async () => {
  await bed.stop();
  await provider.stop();
});
beforeEach(() => {
  Object.assign(provider, { metadata: {}, takes: 'client_secret_post', isGenuine: true });
  provider.claims = { sub: 'subject-1' };
  provider.asked.length = 0;
});

const configure = (more: object = {}) =>
  bed.people.oidc.configure(org, {
    issuer: provider.issuer,
    ...FAKE_CLIENT,
    is_enabled: true,
    ...more,
  });
const through = async (use: Parameters<typeof bed.people.oidc.start>[1] = {}) => {
  const { url, cookies } = await bed.people.oidc.start(org, use, newPlace());
  const finish = () =>
    bed.people.oidc.finish(provider.back(url), cookieIn(cookies, OIDC_COOKIE), newPlace());
  return { url: new URL(url), finish };
};
const connect = async () => (await through({ link: person.signedIn })).finish();
const signInThere = async () => bed.read(cookieIn((await (await through()).finish()).cookies));

describe('an ID token', () => {
  it('is taken by the signature of a published key, and by no other', async () => {
    await configure();
    await connect();
    expect(await signInThere()).toMatchObject({ person: { email: person.email } });
    provider.isGenuine = false;
    await expect(signInThere()).rejects.toMatchObject({
      code: 'unauthorized',
      message: "The organization's sign-in was not completed.",
    });
  });
});

describe('a session by a provider', () => {
  it.each([
    ['just now', 0, true],
    ['14 minutes ago', -14 * MINUTE_SECONDS, true],
    ['16 minutes ago', -16 * MINUTE_SECONDS, false],
    ['in a minute, by its clock', MINUTE_SECONDS, true],
    ['at a time that it does not say', null, false],
  ])('is as fresh as the provider says: %s', async (_when, seconds, isFresh) => {
    await configure();
    await connect();
    if (seconds !== null) provider.claims.auth_time = nowSeconds() + seconds;
    expect(await signInThere()).toMatchObject({ via: 'oidc', is_fresh: isFresh });
  });

  it('opens what a changed role opens, though the person signed in there before', async () => {
    await configure();
    const { email } = await bed.join(org, 'viewer');
    const members = await bed.people.members.list(org);
    const id = members.find((member) => member.email === email)?.id ?? '';
    const other = await bed.db.people.findOne({ email });
    const stale = { ...person.signedIn, person: { id: other?._id ?? '', email, name: '' } };
    const [session] = await bed.db.sessions.find({ person_id: other?._id ?? '' }).toArray();
    provider.claims = { sub: 'subject-2', auth_time: nowSeconds() - 600 };
    await (await through({ link: { ...stale, session_id: session?.id ?? '' } })).finish();
    const by = { kind: 'operator', name: 'Test' } as const;
    await bed.people.members.update(org, id, { role: 'analyst', by });
    const signedIn = await signInThere();
    if (!signedIn) throw new Error('nobody is signed in');
    expect(await bed.people.membership(signedIn, id)).toMatchObject({ role: 'analyst' });
  });

  it('asks when the person signed in there, and on confirming for a sign-in of just now', async () => {
    await configure();
    const asked = async (use: Parameters<typeof through>[0]) =>
      (await through(use)).url.searchParams.get('max_age');
    expect([await asked({}), await asked({ confirms: true })]).toEqual(['604800', '60']);
  });
});

describe('a provider', () => {
  const BASIC = ['client_secret_basic'];
  it.each([
    ['names basic only, and takes it', BASIC, 'client_secret_basic', BASIC],
    ['names nothing, and takes basic', undefined, 'client_secret_basic', BASIC],
    [
      'names nothing, and takes post',
      undefined,
      'client_secret_post',
      ['client_secret_basic', 'client_secret_post'],
    ],
    [
      'names both, and takes basic of this client',
      ['client_secret_basic', 'client_secret_post'],
      'client_secret_basic',
      ['client_secret_post', 'client_secret_basic'],
    ],
    [
      'names both, and takes post of this client',
      ['client_secret_basic', 'client_secret_post'],
      'client_secret_post',
      ['client_secret_post'],
    ],
    [
      'takes assertions only',
      ['client_secret_jwt', 'private_key_jwt'],
      'client_secret_jwt',
      ['client_secret_jwt'],
    ],
  ] as const)('that %s is asked in its way, and again at once', async (_of, names, takes, ways) => {
    provider.metadata = { token_endpoint_auth_methods_supported: names };
    provider.takes = takes;
    await configure();
    await connect();
    expect(provider.asked).toEqual(ways);
    await connect();
    expect(provider.asked).toEqual([...ways, takes]);
  });

  it('that refuses the secret is asked once in each way, and signs nobody in', async () => {
    await configure({ client_secret: 'another secret' });
    await expect(connect()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(provider.asked).toEqual(['wrong', 'wrong']);
    await configure();
  });

  it.each([
    [{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, 'names private_key_jwt'],
    [{ issuer: 'https://other.example.com' }, 'names itself by it'],
    [{ token_endpoint: undefined }, 'as token_endpoint'],
    [{ id_token_signing_alg_values_supported: ['HS256'] }, 'names HS256'],
  ])('that cannot be used is refused when it is saved: %j', async (metadata, words) => {
    await configure();
    const before = await bed.db.oidcSettings.findOne({ _id: org });
    provider.metadata = metadata;
    const message = expect.stringContaining(words) as unknown;
    await expect(configure()).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { details: [{ path: 'issuer', code: 'not_allowed', message }] },
    });
    expect(await bed.db.oidcSettings.findOne({ _id: org })).toEqual(before);
  });

  it('that does not answer is refused, unless it is turned off', async () => {
    await configure();
    const gone = { issuer: `${provider.issuer}/none` };
    await expect(configure(gone)).rejects.toMatchObject({
      extras: { details: [{ path: 'issuer', code: 'not_allowed' }] },
    });
    expect(await configure({ ...gone, is_enabled: false })).toMatchObject({ is_enabled: false });
    await configure();
  });
});
