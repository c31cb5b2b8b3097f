/** The organization's own sign-in provider, as its actions set and show it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Testbed } from '../../../support/testbed.js';
import { createOrgKey, permissionsOf } from '../../../../src/account/keys/keys.js';
import { send } from '../../../support/http.js';
import { accountOf, makeOrg } from '../../../support/org.js';
import { startFakeProvider, type FakeProvider } from '../../../people/fakeProvider.js';

const SECRET = 'a secret of the provider';
const SETTINGS = { issuer: '', client_id: 'leadwire', client_secret: SECRET };

let bed: Testbed;
let provider: FakeProvider;
let another: FakeProvider;
beforeAll(async () => {
  bed = await startTestbed({ role: 'api', settings: { BASE_URL: 'https://leads.example' } });
  provider = await startFakeProvider();
  another = await startFakeProvider();
  SETTINGS.issuer = provider.issuer;
});
afterAll(async () => {
  await bed.stop();
  await provider.stop();
  await another.stop();
});

async function organization() {
  const org = await makeOrg(bed.collections, 'Acme');
  const permissions = permissionsOf('write');
  const key = await createOrgKey(accountOf(bed, org._id), { name: 'Key', permissions });
  const call = (action: string, input: object = {}) =>
    send(`${bed.url}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
  return { id: org._id, call };
}

describe("an organization's own sign-in", () => {
  it('is off at first, and shows what to allow at the provider', async () => {
    const { id, call } = await organization();
    expect((await call('get_single_sign_on')).json?.data).toEqual({
      issuer: null,
      client_id: null,
      is_enabled: false,
      sign_in_url: `https://leads.example/oidc/${id}/start`,
      redirect_url: 'https://leads.example/oidc/callback',
    });
  });

  it('is set, shown without its secret, and kept sealed', async () => {
    const { id, call } = await organization();
    const set = await call('configure_single_sign_on', SETTINGS);
    expect(set.json?.data).toMatchObject({
      issuer: SETTINGS.issuer,
      client_id: 'leadwire',
      is_enabled: true,
    });
    const shown = await call('get_single_sign_on');
    expect(shown.json?.data).toEqual(set.json?.data);
    const stored = await bed.collections.oidcSettings.findOne({ _id: id });
    const recorded = await bed.collections.audit.find({ org_id: id }).toArray();
    for (const one of [set.text, shown.text, JSON.stringify(stored), JSON.stringify(recorded)]) {
      expect(one).not.toContain(SECRET);
    }
    expect(recorded.map(({ input }) => input)).toContainEqual(
      expect.objectContaining({ issuer: SETTINGS.issuer, client_secret: '[hidden]' }),
    );
  });

  it('keeps its secret when none is given, except for another provider', async () => {
    const { id, call } = await organization();
    await call('configure_single_sign_on', SETTINGS);
    const stored = () => bed.collections.oidcSettings.findOne({ _id: id });
    const before = await stored();
    const { issuer, client_id } = SETTINGS;
    const rest = { issuer, client_id };
    await call('configure_single_sign_on', { ...rest, is_enabled: false });
    expect(await stored()).toMatchObject({
      client_secret: before?.client_secret,
      is_enabled: false,
    });
    await call('configure_single_sign_on', { ...rest, issuer: another.issuer });
    expect((await stored())?.client_secret).toBeUndefined();
  });

  it('is not set to a provider that cannot be used, unless it is off, and says why', async () => {
    const { id, call } = await organization();
    const gone = { ...SETTINGS, issuer: `${provider.issuer}/none` };
    const refused = await call('configure_single_sign_on', gone);
    expect([refused.status, refused.json?.details]).toMatchObject([
      422,
      [{ path: 'issuer', code: 'not_allowed', message: expect.stringContaining('is_enabled') }],
    ]);
    expect(await bed.collections.oidcSettings.findOne({ _id: id })).toBeNull();
    const off = await call('configure_single_sign_on', { ...gone, is_enabled: false });
    expect([off.status, off.json?.data]).toMatchObject([200, { is_enabled: false }]);
  });

  it('of two changes at once takes one, and says so to the other', async () => {
    const { id, call } = await organization();
    const changes = ['a', 'b', 'c'].map((client_id) =>
      call('configure_single_sign_on', { ...SETTINGS, client_id }),
    );
    const answers = await Promise.all(changes);
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ json }) => json?.error === 'action_refused');
    expect(done.length + refused.length).toBe(3);
    const stored = await bed.collections.oidcSettings.findOne({ _id: id });
    expect(done.map(({ json }) => json?.data)).toContainEqual(
      expect.objectContaining({ client_id: stored?.client_id }),
    );
  });

  it.each(['no address', 'ftp://login.example.com', ''])(
    'refuses %j as an issuer',
    async (issuer) => {
      const { call } = await organization();
      const answer = await call('configure_single_sign_on', { ...SETTINGS, issuer });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).toContain('issuer');
      expect(answer.text).not.toContain(SECRET);
    },
  );
});
