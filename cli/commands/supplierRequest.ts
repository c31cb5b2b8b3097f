/** Sends requests like a supplier, with the supplier's key. */
import { readVersion } from '../../src/lib/version.js';
import { fileReader, readObject } from '../actions/readFlags.js';
import { checkUrl, findConnection } from '../client/connection.js';
import { exchange } from '../client/exchange.js';
import { explainUnreachable } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { CommandFailed, EXIT, UsageError } from '../terminal/errors.js';
import { plainText, visible } from '../output/cells.js';
import { parseRow, rowsOf, type Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';

export interface SupplierOptions {
  supplierId: string;
  /** `name=value`, each. */
  field?: string[];
  /** A JSON object of fields: a file, or `-`. */
  input?: string;
  key?: string;
  url?: string;
  profile?: string;
}

export interface SupplierReply {
  status: number;
  body: Row;
  tookMs: number;
}

/** Longer than any campaign makes a supplier wait. */
const TIMEOUT_MS = 90_000;

/** The given fields; those of `--field` override those of `--input`. */
export async function givenFields(terminal: Terminal, options: SupplierOptions): Promise<Row> {
  const files = fileReader(() => terminal.keyboard.readAll());
  const base = options.input === undefined ? {} : await readObject(options.input, files);
  return { ...base, ...readFields(options.field ?? [], '--field') };
}

/** @throws {UsageError} for text that is not `name=value` */
export function readFields(fields: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    fields.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
      throw new UsageError(`${flag} must be name=value, such as state=CA: not "${text}".`);
    }),
  );
}

/** Sends requests to one server with one key. */
export interface SupplierClient {
  /**
   * @param path for example `/api/v1/ingest`
   * @param answers whether an answer is one of the service
   * @throws {CommandFailed} when no server answers, or another one than Leadwire
   */
  send(
    path: string,
    body: Row,
    answers: (body: Row) => boolean,
    headers?: Record<string, string>,
  ): Promise<SupplierReply>;
}

/** @throws {CommandFailed} where there is no key */
export function supplierClient(terminal: Terminal, options: SupplierOptions): SupplierClient {
  const key = keyOf(terminal, options);
  const base = addressOf(terminal, options);
  return {
    async send(path, content, answers, headers = {}) {
      const url = `${base}${path}`;
      const start = performance.now();
      const reply = await withInterrupt(terminal, { isChange: true }, (signal) =>
        exchange(url, {
          method: 'POST',
          headers: {
            'x-api-key': key,
            'content-type': 'application/json',
            accept: 'application/json',
            'user-agent': `leadwire-cli/${readVersion()}`,
            ...headers,
          },
          body: JSON.stringify(content),
          signal,
          timeoutMs: TIMEOUT_MS,
        }),
      ).catch((error: unknown) => {
        throw explainUnreachable(url, error);
      });
      const tookMs = Math.round(performance.now() - start);
      const body = parseRow(reply.text);
      if (body && (answers(body) || typeof body.error === 'string'))
        return { status: reply.status, body, tookMs };
      throw new CommandFailed(
        `The server at ${url} is not Leadwire (status ${reply.status}).`,
        EXIT.failed,
        'Set the server: --url URL',
      );
    },
  };
}

function keyOf({ environment }: Terminal, { key, supplierId }: SupplierOptions): string {
  const found = key ?? environment.LEADWIRE_SUPPLIER_KEY;
  if (found) return found.trim();
  throw new CommandFailed(
    "The supplier's key is needed: LEADWIRE_SUPPLIER_KEY, or --key.",
    EXIT.needsLogin,
    `A user with suppliers:write can see it: leadwire suppliers get ${supplierId} --reveal-key --jq .api_key`,
  );
}

function addressOf({ environment }: Terminal, { url, profile }: SupplierOptions): string {
  return url === undefined ? findConnection(environment, profile).url : checkUrl(url);
}

/** The duration, and the status. */
export const tookOf = ({ status, tookMs }: SupplierReply, { paint }: Terminal): string =>
  paint.dim(`(${status}, ${tookMs} ms)`);

/** A refusal, with every field or filter that caused it. */
export function describeRefusal(reply: SupplierReply, terminal: Terminal): string {
  const { body } = reply;
  const faults = [body.field_errors, body.filter_errors].flatMap(rowsOf);
  const lines = faults.map(
    ({ field, path, message }) => `  ${plainText(field ?? path)}  ${plainText(message)}`,
  );
  const refused = terminal.paint.red(visible(String(body.error)));
  const head = `${refused}  ${visible(String(body.message))}  ${tookOf(reply, terminal)}`;
  return [head, ...lines].join('\n');
}
