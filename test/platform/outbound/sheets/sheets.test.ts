import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readServiceAccount } from '../../../../src/platform/outbound/sheets/credentials.js';
import {
  createSheets,
  type OutboundRow,
  type Sheets,
} from '../../../../src/platform/outbound/sheets/sheets.js';
import { timed, useDoor } from '../doorFixture.js';
import { startGoogle } from '../googleServer.js';

const stops: (() => void)[] = [];
// Before the client is closed, which waits for its open requests.
afterEach(() => stops.splice(0).forEach((stop) => stop()));
const { door } = useDoor();

async function openSheets(...handlers: Parameters<typeof startGoogle>) {
  const google = await startGoogle(...handlers);
  stops.push(() => google.stop());
  const account = readServiceAccount(google.keyJson);
  if (!account) throw new Error('no account');
  const sheets = (): Sheets =>
    createSheets({ account, outbound: door(), endpoint: `${google.url}/` });
  return { ...google, sheets };
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
  it('is appended unchanged, with a service account token that is reused for the next one', async () => {
    const google = await openSheets();
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

  it("returns Google's answer", async () => {
    const google = await openSheets((_, res) => {
      res.writeHead(403).end('{"error":{"message":"no access"}}');
    });
    expect(await google.sheets().append(row())).toMatchObject({ kind: 'answered', status: 403 });
  });

  it('is not sent without a token', async () => {
    const google = await openSheets(undefined, (_, res) => {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end('{"error":"invalid_grant","error_description":"Invalid JWT"}');
    });
    expect(await google.sheets().append(row())).toEqual({
      kind: 'not_sent',
      reason: expect.stringContaining('invalid_grant') as unknown,
    });
    expect(google.appends()).toEqual([]);
  });

  it('is not sent when the token arrives too late', async () => {
    const google = await openSheets(undefined, () => undefined);
    const { value, ms } = await timed(() =>
      google.sheets().append(row({ sendBy: performance.now() + 300 })),
    );
    expect(value).toEqual({ kind: 'not_sent', reason: 'no token from Google in time' });
    expect(ms).toBeLessThan(1_000);
  });

  it('has no answer when Google hangs or cuts the connection after reading it', async () => {
    const hanging = await openSheets(() => undefined);
    expect(await hanging.sheets().append(row({ timeoutMs: 700 }))).toMatchObject({
      kind: 'no_answer',
    });
    const cutting = await openSheets((_, res) => res.socket?.resetAndDestroy());
    expect(await cutting.sheets().append(row())).toMatchObject({ kind: 'no_answer' });
    expect(cutting.appends()).toHaveLength(1);
  });
});

describe('the key of a service account', () => {
  it('is refused without showing any of it', () => {
    for (const text of ['{"client_email":"a@b.example"}', 'secret stuff', '[]']) {
      expect(() => readServiceAccount(text)).toThrow(
        'GOOGLE_SERVICE_ACCOUNT_JSON, or the file that GOOGLE_SERVICE_ACCOUNT_FILE names, must be the JSON key of a ' +
          'service account, with client_email and private_key.',
      );
    }
  });

  it('is optional', () => {
    expect(readServiceAccount(undefined)).toBeNull();
  });
});
