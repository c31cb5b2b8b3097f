/** One request: sent, sent again where the service says that this is safe, and read. */
import { LeadwireError, notOurs, type RefusalBody } from './error.js';

export interface Connection {
  /** The address of the installation, such as `https://leads.example.com`. */
  url: string;
  /** How often a request is sent again after 429 and 503, which mean that nothing was done; default 2. */
  retries?: number;
  /** Milliseconds until a request is given up; default 30,000. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface Sent {
  method: 'GET' | 'POST';
  /** Begins with a slash. */
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

const RETRIES = 2;
const TIMEOUT_MS = 30_000;
/** Longer waits are left to the caller. */
const WAIT_MAX_S = 60;

/**
 * The JSON of a successful answer.
 * @throws {LeadwireError} a refusal
 * @throws {TypeError | DOMException} there was no answer: it is not known whether the request was carried out
 */
export async function send(connection: Connection, sent: Sent): Promise<unknown> {
  const { retries = RETRIES } = connection;
  for (let left = retries; ; left -= 1) {
    const response = await sendOnce(connection, sent);
    const body = await readBody(response);
    if (response.ok) return body;
    const refusal = new LeadwireError(response.status, body as RefusalBody);
    const waitS = refusal.body.retry_after ?? 1;
    const isSafe = response.status === 429 || response.status === 503;
    if (!isSafe || left <= 0 || waitS > WAIT_MAX_S) throw refusal;
    await new Promise((resume) => setTimeout(resume, waitS * 1_000));
  }
}

function sendOnce(
  { url, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: Connection,
  { method, path, headers, body }: Sent,
): Promise<Response> {
  return send(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function readBody(response: Response): Promise<object> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Below.
  }
  throw notOurs(response.status, text);
}
