/** `leadwire post`: a lead the way a supplier sends it, with the supplier's own key. */
import { readFile } from 'node:fs/promises';
import { findConnection, checkUrl } from '../api/connection.js';
import { exchange, type Reply } from '../api/exchange.js';
import { interruptible } from '../api/interrupt.js';
import { reachedNobody } from '../api/hints.js';
import { CommandFailed, describeError, EXIT, UsageError, type ExitCode } from '../errors.js';
import { paintCell, plainText, visible } from '../show/cells.js';
import { isRow, type Row } from '../show/rows.js';
import type { Terminal } from '../terminal.js';
import { readVersion } from '../../src/version.js';

export interface PostOptions {
  campaignId: string;
  supplierId: string;
  /** `name=value`, each. */
  field?: string[];
  /** A JSON object of fields: a file, or `-`. */
  input?: string;
  key?: string;
  url?: string;
  test?: true;
  idempotencyKey?: string;
  exitStatus?: true;
  json?: true;
  profile?: string;
}

/** Longer than any campaign lets a supplier wait. */
const PATIENCE_MS = 90_000;

/**
 * Exit codes: 0 when the lead was taken, 1 when it was refused, 4 when the key is not known, 8 when whether it was taken
 * cannot be told.
 */
export async function postLead(terminal: Terminal, options: PostOptions): Promise<ExitCode> {
  const lead = await readLead(terminal, options);
  const key = keyOf(terminal, options);
  const url = `${addressOf(terminal, options)}/api/v1/ingest`;
  const start = performance.now();
  const reply = await interruptible({ isChange: true }, (signal) =>
    exchange(url, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json' },
        'user-agent': `leadwire-cli/${readVersion()}`,
        ...(options.idempotencyKey === undefined
          ? {}
          : { 'idempotency-key': options.idempotencyKey }),
      },
      body: JSON.stringify(lead),
      ...{ signal, timeoutMs: PATIENCE_MS },
    }),
  ).catch((error: unknown) => {
    throw reachedNobody(url, error);
  });
  const tookMs = Math.round(performance.now() - start);
  const body = parse(reply, url);
  if (options.json)
    terminal.print(
      JSON.stringify({ http_status: reply.status, took_ms: tookMs, answer: body }, null, 2),
    );
  else terminal.print(describe(reply.status, body, tookMs, terminal));
  return exitOf(reply.status, body, options);
}

async function readLead(terminal: Terminal, options: PostOptions): Promise<Row> {
  const { input, field = [], campaignId, supplierId, test } = options;
  const base = input === undefined ? {} : await readObject(terminal, input);
  return {
    ...base,
    ...readFields(field),
    ...{ flo_campaign_id: campaignId, flo_supplier_id: supplierId },
    ...(test ? { test_lead: true } : {}),
  };
}

/** @throws {UsageError} for what is no `name=value` */
function readFields(fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    fields.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
      throw new UsageError(`--field must be name=value, such as state=CA: not "${text}".`);
    }),
  );
}

async function readObject({ keyboard }: Terminal, path: string): Promise<Row> {
  const fail = (why: string) => new UsageError(`--input ${path} ${why}`);
  const text =
    path === '-'
      ? await keyboard.readAll()
      : await readFile(path, 'utf8').catch((error: unknown) => {
          throw fail(`cannot be read: ${describeError(error, false)}`);
        });
  try {
    const value: unknown = JSON.parse(text);
    if (isRow(value)) return value;
  } catch (error) {
    throw fail(`is no valid JSON: ${describeError(error, false)}`);
  }
  throw fail('must hold one JSON object, the fields of the lead.');
}

function keyOf({ environment }: Terminal, { key, supplierId }: PostOptions): string {
  const found = key ?? environment.LEADWIRE_SUPPLIER_KEY;
  if (found) return found.trim();
  throw new CommandFailed(
    "The supplier's key is needed: LEADWIRE_SUPPLIER_KEY, or --key.",
    EXIT.needsLogin,
    `Whoever has suppliers:write sees it: leadwire suppliers get ${supplierId} --reveal-key --jq .api_key`,
  );
}

function addressOf({ environment }: Terminal, { url, profile }: PostOptions): string {
  return url === undefined ? findConnection(environment, profile).url : checkUrl(url);
}

function parse({ status, text }: Reply, url: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    if (isRow(value) && (isRow(value.data) || typeof value.error === 'string')) return value;
  } catch {
    // Told below.
  }
  throw new CommandFailed(
    `What answers at ${url} is not Leadwire (status ${status}).`,
    EXIT.failed,
    'Say which server: --url URL',
  );
}

function describe(status: number, body: Row, tookMs: number, { paint }: Terminal): string {
  const took = paint.dim(`(${status}, ${tookMs} ms)`);
  if (isRow(body.data)) {
    const { id, status: word, delivery, duplicate_of } = body.data;
    const notes = [
      ...(typeof delivery === 'string' ? [delivery] : []),
      ...(typeof duplicate_of === 'string' ? [`of ${duplicate_of}`] : []),
    ];
    const tail = notes.length === 0 ? '' : ` ${visible(notes.join(' '))}`;
    return `${paintCell('status', visible(String(word)), paint)}${tail}  lead ${String(id)}  ${took}`;
  }
  const faults = [body.field_errors, body.filter_errors].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRow) : [],
  );
  const lines = faults.map(
    ({ field, path, message }) => `  ${plainText(field ?? path)}  ${plainText(message)}`,
  );
  const refused = paint.red(String(body.error));
  return [`${refused}  ${visible(String(body.message))}  ${took}`, ...lines].join('\n');
}

function exitOf(status: number, body: Row, { exitStatus }: PostOptions): ExitCode {
  if (status === 401) return EXIT.needsLogin;
  if (status === 504) return EXIT.pending;
  if (status >= 300) return EXIT.failed;
  const isAccepted = isRow(body.data) && body.data.status === 'ACCEPTED';
  return exitStatus && !isAccepted ? EXIT.failed : EXIT.done;
}
