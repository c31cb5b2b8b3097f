/** One request and its answer. It uses `node:http`: the first `fetch` of a process costs a quarter of a second. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { getOwn } from '../../src/lib/getOwn.js';

export interface Ask {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Timeout in milliseconds, for the whole exchange. */
  timeoutMs: number;
}

export interface Reply {
  status: number;
  /** The first value of a header, by its name in lower case. */
  header: (name: string) => string | undefined;
  text: string;
}

/**
 * Redirects are not followed.
 * @throws {Error} with `code`: that of the system, `timeout`, or ABORT_ERR
 */
export async function exchange(url: string, ask: Ask): Promise<Reply> {
  const { request } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  const { method, body, signal, timeoutMs } = ask;
  const headers = {
    ...ask.headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, { method, headers, signal }, resolve);
      timer = setTimeout(() => sent.destroy(timeout()), timeoutMs);
      sent.on('error', reject);
      sent.end(body);
    });
    const first = (name: string) => [getOwn(response.headers, name)].flat()[0];
    return { status: response.statusCode ?? 0, header: first, text: await text(response) };
  } finally {
    clearTimeout(timer);
  }
}

const timeout = (): Error =>
  Object.assign(new Error('It did not answer in time'), { code: 'timeout' });
