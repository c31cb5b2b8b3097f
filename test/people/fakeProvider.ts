/** An identity provider that does what a test says: its metadata, how clients authenticate, what it signs and claims. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT, type JWTPayload } from 'jose';

export const FAKE_CLIENT = { client_id: 'lead wire', client_secret: 'a secret: with %, + and =' };

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface FakeProvider {
  issuer: string;
  /** In the place of parts of its metadata; undefined leaves one out. */
  metadata: Record<string, unknown>;
  /** How it lets its client authenticate. */
  takes: 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt';
  /** Whether ID tokens are signed by the key that it publishes. */
  isGenuine: boolean;
  claims: JWTPayload;
  /** How each request for a token was authenticated. */
  readonly asked: string[];
  /** Signs the person of the claims in: what the browser brings back from this address. */
  back(url: string): URLSearchParams;
  stop(): Promise<void>;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const [published, another] = [newKeys(), newKeys()];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let nonce = '';
  const asked: string[] = [];

  const provider: FakeProvider = {
    issuer,
    metadata: {},
    takes: 'client_secret_post',
    isGenuine: true,
    claims: { sub: 'subject-1' },
    asked,
    back(url) {
      const begun = new URL(url).searchParams;
      nonce = begun.get('nonce') ?? '';
      return new URLSearchParams({ code: 'a-code', state: begun.get('state') ?? '' });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  const idToken = () => {
    const now = Math.floor(Date.now() / 1_000);
    const { client_id: aud } = FAKE_CLIENT;
    const claims = { iss: issuer, aud, nonce, iat: now, exp: now + 300, ...provider.claims };
    const keys = provider.isGenuine ? published : another;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(keys.privateKey);
  };
  const answers: Record<string, (request: IncomingMessage) => Promise<[number, unknown]>> = {
    '/.well-known/openid-configuration': () =>
      Promise.resolve([
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...provider.metadata,
        },
      ]),
    '/jwks': async () => {
      const key = { ...(await exportJWK(published.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
      return [200, { keys: [key] }];
    },
    '/token': async (request) => {
      const way = wayOf(request.headers.authorization, await formOf(request));
      asked.push(way ?? 'wrong');
      if (way !== provider.takes) return [401, { error: 'invalid_client' }];
      const token = { access_token: 'x', token_type: 'bearer', id_token: await idToken() };
      return [200, token];
    },
  };
  server.on('request', (request, response) => {
    const answer = answers[request.url ?? ''] ?? (() => Promise.resolve([404, {}] as const));
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  return provider;
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return new URLSearchParams(text);
}

/** As RFC 6749, section 2.3.1, has it: null for a client that is not the right one. */
function wayOf(header: string | undefined, form: URLSearchParams): FakeProvider['takes'] | null {
  const { client_id, client_secret } = FAKE_CLIENT;
  const isRight = (id: string | null, secret: string | null) =>
    id === client_id && secret === client_secret;
  if (header !== undefined) {
    const pair = Buffer.from(header.slice('Basic '.length), 'base64').toString();
    // Both halves are encoded as in a form.
    const [id = null, secret = null] = new URLSearchParams(
      pair
        .split(':')
        .map((half, n) => `${n}=${half}`)
        .join('&'),
    ).values();
    return isRight(id, secret) ? 'client_secret_basic' : null;
  }
  if (form.has('client_assertion')) return 'client_secret_jwt';
  const isPosted = isRight(form.get('client_id'), form.get('client_secret'));
  return isPosted ? 'client_secret_post' : null;
}
