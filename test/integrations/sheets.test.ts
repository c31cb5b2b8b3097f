import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readServiceAccount } from '../../src/integrations/sheets/credentials.js';
import {
  createSheets,
  type OutboundRow,
  type Sheets,
} from '../../src/integrations/sheets/sheets.js';
import { timed, useDoor } from './doorFixture.js';

const { door } = useDoor();
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

interface Seen {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Handler = (seen: Seen, res: ServerResponse) => void;
const TOKEN: Handler = (_, res) => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ access_token: 't-1', expires_in: 3_600, token_type: 'Bearer' }));
};
const WRITTEN: Handler = (_, res) => {
  res.end(JSON.stringify({ updates: { updatedRange: 'Leads!A2:B2' } }));
};

/** Stands for Google: the token endpoint under /token, everything else is the Sheets API. */
async function startGoogle(append: Handler = WRITTEN, token: Handler = TOKEN) {
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
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const key = {
    client_email: 'leads@project.example',
    private_key: privateKey,
    token_uri: `${url}/token`,
  };
  const account = readServiceAccount(undefined, JSON.stringify(key));
  if (!account) throw new Error('no account');
  const sheets = (): Sheets => createSheets({ account, outbound: door(), endpoint: `${url}/` });
  const tokens = () => seen.filter(({ path }) => path === '/token');
  return { seen, tokens, sheets, appends: () => seen.filter(({ path }) => path !== '/token') };
}

const row = (more: Partial<OutboundRow> = {}): OutboundRow => ({
  spreadsheetId: 'sheet/1',
  range: "'Ada''s'!A1",
  cells: ['l1', '=1+1', 25, true],
  timeoutMs: 3_000,
  sendBy: performance.now() + 2_000,
  ...more,
});

describe('a row for Google Sheets', () => {
  it('is appended as it is, by a token of the service account that serves for the next one too', async () => {
    const google = await startGoogle();
    const sheets = google.sheets();
    expect(await sheets.append(row())).toMatchObject({ kind: 'answered', status: 200 });
    await sheets.append(row());
    expect(google.tokens()).toHaveLength(1);
    const asked = new URLSearchParams(google.tokens()[0]?.body);
    expect(asked.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [, claims = ''] = (asked.get('assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'leads@project.example',
      scope: 'https://www.googleapis.com/auth/spreadsheets',
    });
    const [append] = google.appends();
    expect(append?.path).toBe(
      "/v4/spreadsheets/sheet%2F1/values/'Ada''s'!A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS",
    );
    expect(append?.headers.authorization).toBe('Bearer t-1');
    expect(JSON.parse(append?.body ?? '')).toEqual({
      majorDimension: 'ROWS',
      values: [['l1', '=1+1', 25, true]],
    });
  });

  it('is answered by whatever Google says', async () => {
    const google = await startGoogle((_, res) => {
      res.writeHead(403).end('{"error":{"message":"no access"}}');
    });
    expect(await google.sheets().append(row())).toMatchObject({ kind: 'answered', status: 403 });
  });

  it('is not sent without a token', async () => {
    const google = await startGoogle(WRITTEN, (_, res) => {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end('{"error":"invalid_grant","error_description":"Invalid JWT"}');
    });
    expect(await google.sheets().append(row())).toEqual({
      kind: 'not_sent',
      reason: expect.stringContaining('invalid_grant') as unknown,
    });
    expect(google.appends()).toEqual([]);
  });

  it('is not sent when the token comes too late', async () => {
    const google = await startGoogle(WRITTEN, () => undefined);
    const { value, ms } = await timed(
      google.sheets().append(row({ sendBy: performance.now() + 300 })),
    );
    expect(value).toEqual({ kind: 'not_sent', reason: 'no token from Google in time' });
    expect(ms).toBeLessThan(1_000);
  });

  it('has no answer when Google hangs or cuts the connection after reading it', async () => {
    const hanging = await startGoogle(() => undefined);
    expect(await hanging.sheets().append(row({ timeoutMs: 700 }))).toMatchObject({
      kind: 'no_answer',
    });
    const cutting = await startGoogle((_, res) => res.socket?.resetAndDestroy());
    expect(await cutting.sheets().append(row())).toMatchObject({ kind: 'no_answer' });
    expect(cutting.appends()).toHaveLength(1);
  });
});

describe('the key of a service account', () => {
  it('is refused without showing any of it', () => {
    for (const text of ['{"client_email":"a@b.example"}', 'secret stuff', '[]']) {
      expect(() => readServiceAccount(undefined, text)).toThrow(
        'GOOGLE_SERVICE_ACCOUNT_JSON must be the JSON key of a service account, with client_email and private_key.',
      );
    }
  });

  it('may be missing', () => {
    expect(readServiceAccount(undefined, undefined)).toBeNull();
    expect(() => readServiceAccount('/no/such/file')).toThrow('ENOENT');
  });
});
