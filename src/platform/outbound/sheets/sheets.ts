/**
 * Appends rows to Google Sheets, as a service account. Google's own library makes the tokens; the requests go through
 * our outbound HTTP, which knows whether a request was written.
 */
import { performance } from 'node:perf_hooks';
import type { TransportReply } from '../reply.js';
import { loadOnce } from '../../../lib/loadOnce.js';
import type { OutboundHttp, OutboundRequest } from '../http.js';
import { raceTimeout } from '../../../lib/withTimeout.js';
import type { ServiceAccount } from './credentials.js';
import { createHeaderCache } from './header.js';
import { findRow, type FoundRow, type ReadSheet, type SoughtRow } from './findRow.js';

/** What a cell holds. */
type Cell = string | number | boolean;

export interface OutboundRow {
  spreadsheetId: string;
  /** The table to append to, in A1 notation. */
  range: string;
  cells: Cell[];
  /** Written before the row where the sheet has no first row yet; existing content is never overwritten. */
  header?: string[];
  /** Total time, from the call to the last byte of the answer. */
  timeoutMs: number;
  /** On the clock of performance.now(): the row is not sent after this. */
  sendBy: number;
}

interface SheetsOptions {
  account: ServiceAccount;
  outbound: OutboundHttp;
  /** `https://sheets.googleapis.com` */
  endpoint: string;
}

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const TOKEN_TIMEOUT_MS = 10_000;

export type Sheets = ReturnType<typeof createSheets>;

export function createSheets({ account, outbound, endpoint }: SheetsOptions) {
  const token = createTokenSource(account, outbound);
  const base = `${endpoint.replace(/\/$/, '')}/v4/spreadsheets`;
  /** Sends a request with a token, for a path below the spreadsheets. */
  const send = async (
    path: string,
    by: number,
    request: Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'sendBy'>,
  ): Promise<TransportReply> => {
    const got = await inTime(token(), Math.min(request.sendBy ?? by, by));
    if ('failed' in got) return { kind: 'not_sent', reason: got.failed };
    const headers = { ...request.headers, authorization: `Bearer ${got.token}` };
    const timeoutMs = by - performance.now();
    return outbound.send({ ...request, url: `${base}/${path}`, headers, timeoutMs });
  };
  const read: ReadSheet = (path, by) => send(path, by, { method: 'GET', headers: {}, body: '' });
  const withHeader = createHeaderCache(read);
  const append = ({ spreadsheetId, range, sendBy }: OutboundRow, values: Cell[][], by: number) => {
    const place = `${encodeURIComponent(spreadsheetId)}/values/${encodeURIComponent(range)}`;
    return send(`${place}:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS`, by, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ majorDimension: 'ROWS', values }),
      sendBy,
    });
  };
  return {
    /** Looks for a row by its first column, the latest first. Never rejects. */
    find: (sought: SoughtRow): Promise<FoundRow> => findRow(sought, read),
    /** Appends one row, written as it is (`RAW`: no text becomes a formula). Never rejects. */
    append(row: OutboundRow): Promise<TransportReply> {
      const { spreadsheetId, range, cells, header } = row;
      const by = performance.now() + row.timeoutMs;
      if (!header) return append(row, [cells], by);
      const top = { spreadsheetId, range: range.replace(/A1$/, '1:1'), by };
      return withHeader(top, (isEmpty) => append(row, isEmpty ? [header, cells] : [cells], by));
    },
  };
}

type Token = { token: string } | { failed: string };

/** Returns the current token, or requests one; the library keeps it while it is valid. */
function createTokenSource(account: ServiceAccount, outbound: OutboundHttp): () => Promise<Token> {
  const client = loadOnce(async () => {
    const { JWT } = await import('google-auth-library');
    return new JWT({
      email: account.client_email,
      key: account.private_key,
      keyId: account.private_key_id,
      scopes: [SCOPE],
      transporterOptions: { fetchImplementation: fetchBy(outbound, account.token_uri) },
    });
  });
  return async () => {
    try {
      const { token } = await (await client()).getAccessToken();
      return token ? { token } : { failed: 'Google gave no token' };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { failed: `no token from Google: ${message}`.slice(0, 200) };
    }
  };
}

/** The library's requests, all of them for a token, through our outbound HTTP and to the account's own address. */
const fetchBy =
  (outbound: OutboundHttp, tokenUri: string): typeof fetch =>
  async (_, init) => {
    const reply = await outbound.send({
      url: tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(init?.body as URLSearchParams),
      timeoutMs: TOKEN_TIMEOUT_MS,
    });
    if (reply.kind !== 'answered') throw new Error(reply.reason);
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  };

/** A token that comes too late is kept for the next row. */
const inTime = (token: Promise<Token>, by: number): Promise<Token> =>
  raceTimeout(token, Math.max(1, by - performance.now()), () => ({
    failed: 'no token from Google in time',
  }));
