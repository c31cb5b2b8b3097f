/** Calls of the Actions API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '../../src/lib/errors.js';
import { parseRow } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { readVersion } from '../../src/lib/version.js';
import type { Connection } from './connection.js';
import { exchange, type Reply } from './exchange.js';

export interface Answer {
  data: unknown;
  next_cursor?: string | null;
  /** When the server answered, by its own clock, to the second, in milliseconds. Absent: it did not say. */
  servedAt?: number;
}

export interface Refusal {
  error: ErrorCode;
  message: string;
  request_id?: string;
  details?: { path: string; code: string; message: string }[];
  required?: string;
  retry_after?: number;
}

/** The server refused the call. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    readonly body: Refusal,
  ) {
    super(body.message);
  }
}

/** There was no answer, or none from Leadwire. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  /** @param reason a code such as ECONNREFUSED, `timeout`, `redirect`, or `foreign` for an answer of something else */
  constructor(
    message: string,
    readonly reason: string,
    readonly url: string,
  ) {
    super(message);
  }
}

export interface Client {
  /** @throws {Refused | Unreachable} */
  run(action: string, input: Record<string, unknown>): Promise<Answer>;
  whoami(): Promise<Answer>;
}

export interface ClientOptions {
  /** Aborts the call, and the wait before it. */
  signal?: AbortSignal;
  /** The signal ends waits only: a call that was sent is awaited, because its answer arrives once. */
  hearsOut?: boolean;
  /** Called with what the client waits for. */
  say?: (text: string) => void;
  /** Whether a person watches, and needs to know why nothing happens. */
  isWatched?: boolean;
  /** Timeout of a call in milliseconds. */
  timeoutMs?: number;
}

/** An action may wait for a buyer's queue; a proxy times out earlier. */
const TIMEOUT_MS = 120_000;
/** Maximum waits after a 429, each limited in seconds: a limit of the server is per minute. */
const WAITS_MAX = 5;
const WAIT_MAX_SECONDS = 90;

export function createClient(
  { url, key }: Pick<Connection, 'url' | 'key'>,
  options: ClientOptions = {},
): Client {
  const { signal, ...unhurried } = options;
  const sending = options.hearsOut ? unhurried : options;
  const call = async (path: string, body?: Record<string, unknown>): Promise<Answer> => {
    for (let waits = 0; ; waits += 1) {
      try {
        signal?.throwIfAborted();
        return await send(`${url}${path}`, key, body, sending);
      } catch (error) {
        const seconds = waitOf(error);
        if (seconds === null || waits >= WAITS_MAX) throw error;
        options.say?.(
          `The rate limit of this key is reached: waiting ${seconds} s. Ctrl-C ends it.`,
        );
        await delay(seconds * 1_000, undefined, { signal });
      }
    }
  };
  return {
    run: (action, input) => call(`/api/v1/actions/${encodeURIComponent(action)}`, input),
    whoami: () => call('/api/v1/whoami'),
  };
}

/** The client of a command that a person may watch, and stop. */
export const clientFor = (
  { say, isWatched }: Pick<Terminal, 'say' | 'isWatched'>,
  connection: Connection,
  signal: AbortSignal,
  more?: Pick<ClientOptions, 'hearsOut'>,
): Client => createClient(connection, { signal, say, isWatched, ...more });

/** A call refused with 429 was not carried out, and may be sent again. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 429) return null;
  const seconds = error.body.retry_after ?? 1;
  return seconds <= WAIT_MAX_SECONDS ? seconds : null;
}

/** Milliseconds after which a watching person needs a message. */
const SILENCE_MS = 1_500;

async function send(
  url: string,
  key: string,
  body: Record<string, unknown> | undefined,
  options: ClientOptions,
): Promise<Answer> {
  const { say, isWatched = false } = options;
  const note = setTimeout(() => {
    if (isWatched) say?.(`Waiting for ${new URL(url).origin} …`);
  }, SILENCE_MS);
  try {
    return await ask(url, key, body, options);
  } finally {
    clearTimeout(note);
  }
}

async function ask(
  url: string,
  key: string,
  body: Record<string, unknown> | undefined,
  { signal, timeoutMs = TIMEOUT_MS }: ClientOptions,
): Promise<Answer> {
  const reply = await exchange(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      'user-agent': `leadwire-cli/${readVersion()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
    timeoutMs,
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  // A key is for one server: a person decides about a redirect.
  if (reply.status >= 300 && reply.status < 400) {
    const to = reply.header('location') ?? 'elsewhere';
    throw new Unreachable(`${url} redirects to ${to}. Use that address.`, 'redirect', url);
  }
  return read(url, reply);
}

function read(url: string, { status, text, header }: Reply): Answer {
  const answer = parseRow(text) ?? {};
  const servedAt = Date.parse(header('date') ?? '');
  if (status < 300 && 'data' in answer)
    return {
      ...(answer as unknown as Answer),
      servedAt: Number.isNaN(servedAt) ? undefined : servedAt,
    };
  if (typeof answer.error === 'string' && typeof answer.message === 'string')
    throw new Refused(status, answer as unknown as Refusal);
  const message = `The server at ${url} is not Leadwire (status ${status}, no answer of the Actions API).`;
  throw new Unreachable(message, 'foreign', url);
}

/** A failure of the connection, as `Unreachable`; any other error unchanged. */
export function unreachable(url: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const { origin } = new URL(url);
  // For a host with several addresses the error has a code and no text.
  return new Unreachable(`Cannot reach ${origin}: ${error.message || reason}`, reason, url);
}
