/** A server that stands for Google: the token endpoint under /token, everything else is the Sheets API. */
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Seen {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Handler = (seen: Seen, res: ServerResponse) => void;

export interface GoogleServer {
  url: string;
  /** The key of a service account that gets its tokens here. */
  keyJson: string;
  seen: Seen[];
  tokens(): Seen[];
  appends(): Seen[];
  stop(): void;
}

const TOKEN: Handler = (_, res) => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ access_token: 't-1', expires_in: 3_600, token_type: 'Bearer' }));
};
const WRITTEN: Handler = (_, res) => {
  res.end(JSON.stringify({ updates: { updatedRange: 'Leads!A2:B2' } }));
};

/** Generated once: it takes longer than a test. */
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export async function startGoogle(
  append: Handler = WRITTEN,
  token: Handler = TOKEN,
): Promise<GoogleServer> {
  const seen: Seen[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const one = { path: req.url ?? '', headers: req.headers, body };
      seen.push(one);
      (one.path === '/token' ? token : append)(one, res);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = {
    client_email: 'leads@project.example',
    private_key: privateKey,
    token_uri: `${url}/token`,
  };
  return {
    url,
    seen,
    keyJson: JSON.stringify(key),
    tokens: () => seen.filter(({ path }) => path === '/token'),
    appends: () => seen.filter(({ path }) => path !== '/token'),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
