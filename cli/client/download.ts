/** A list of the server that is streamed, line by line, however long it is. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { readVersion } from '../../src/lib/version.js';
import { parseRow } from '../output/rows.js';
import { Refused, Unreachable, unreachable, type Refusal } from './client.js';
import type { Connection } from './connection.js';

export type DownloadType = 'text/csv' | 'application/x-ndjson';

export interface Wanted {
  action: string;
  input: Record<string, unknown>;
  type: DownloadType;
  signal: AbortSignal;
}

/** Milliseconds without a byte after which it is given up. */
const SILENT_MS = 120_000;

/**
 * The bytes of the file as they arrive, and no faster than they are taken.
 * @throws {Refused | Unreachable} also while it is read: the file is cut then
 */
export async function* download(
  { url, key }: Pick<Connection, 'url' | 'key'>,
  wanted: Wanted,
): AsyncGenerator<Buffer> {
  const address = `${url}/api/v1/actions/${wanted.action}`;
  try {
    const response = await begin(address, key, wanted);
    response.setTimeout(SILENT_MS, () => {
      response.destroy(Object.assign(new Error('It did not answer in time'), { code: 'timeout' }));
    });
    if (response.statusCode !== 200) throw await refusalOf(address, response);
    if (!(response.headers['content-type'] ?? '').startsWith(wanted.type)) {
      response.destroy();
      throw new Unreachable(
        `The server at ${url} does not send files; its version may differ.`,
        'foreign',
        address,
      );
    }
    for await (const piece of response) yield piece as Buffer;
  } catch (error) {
    throw error instanceof Refused || error instanceof Unreachable
      ? error
      : unreachable(address, error);
  }
}

async function begin(
  address: string,
  key: string,
  { input, type, signal }: Wanted,
): Promise<IncomingMessage> {
  const { request } = address.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  const body = JSON.stringify(input);
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        method: 'POST',
        signal,
        headers: {
          authorization: `Bearer ${key}`,
          accept: type,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': `leadwire-cli/${readVersion()}`,
        },
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function refusalOf(address: string, response: IncomingMessage): Promise<Error> {
  const body = parseRow(await text(response)) ?? {};
  if (typeof body.error === 'string' && typeof body.message === 'string')
    return new Refused(response.statusCode ?? 0, body as unknown as Refusal);
  const status = String(response.statusCode);
  return new Unreachable(
    `The server at ${address} is not Leadwire (status ${status}).`,
    'foreign',
    address,
  );
}
