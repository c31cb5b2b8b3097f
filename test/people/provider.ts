/** An identity provider for tests: a real one, on this machine. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AdapterFactory, type AdapterPayload, type JWK } from 'oidc-provider';

export const CLIENT = {
  client_id: 'leadwire',
  client_secret: 'a secret of the provider, long enough',
};

const SECONDS = 600;

const signingKey = (): JWK =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

/** In memory, like the provider's own adapter, which warns at each start that it is for development. */
function kept(): AdapterFactory {
  const rows = new Map<string, AdapterPayload>();
  const found = (test: (row: AdapterPayload) => boolean) =>
    Promise.resolve([...rows.values()].find(test));
  return (name) => {
    const keyOf = (id: string): string => `${name}:${id}`;
    const done = Promise.resolve();
    return {
      upsert(id, payload) {
        rows.set(keyOf(id), payload);
        return done;
      },
      find: (id) => Promise.resolve(rows.get(keyOf(id))),
      findByUid: (uid) => found((row) => row.uid === uid),
      findByUserCode: (code) => found((row) => row.userCode === code),
      consume(id) {
        const row = rows.get(keyOf(id));
        if (row) row.consumed = Math.floor(Date.now() / 1_000);
        return done;
      },
      destroy(id) {
        rows.delete(keyOf(id));
        return done;
      },
      revokeByGrantId(grantId) {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
        return done;
      },
    };
  };
}

/** A provider that signs in the person named by `account`, without asking. */
export async function startProvider(redirect: string) {
  const server: Server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signedIn = { account: 'subject-1' };
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENT, redirect_uris: [redirect], token_endpoint_auth_method: 'client_secret_post' },
    ],
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      // The service must never identify a person by an address that the provider claims.
      claims: () => ({ sub, name: 'Pat of the provider', email: 'victim@example.com' }),
    }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: CLIENT.client_id,
        accountId: signedIn.account,
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    adapter: kept(),
    jwks: { keys: [signingKey()] },
    ttl: {
      AccessToken: SECONDS,
      AuthorizationCode: SECONDS,
      Grant: SECONDS,
      IdToken: SECONDS,
      Interaction: SECONDS,
      Session: SECONDS,
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['test'] },
  });
  const handle = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void handle(req, res);
    void provider.interactionFinished(req, res, { login: { accountId: signedIn.account } });
  });
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { issuer, signedIn, stop };
}
