/**
 * Events as they happen: `leadwire events tail` prints them, the newest at the bottom; `leadwire listen` posts them to a
 * program on this machine, as automations would.
 */
import { signedHeaders } from '../../src/platform/security/signatures.js';
import { checkUrl } from '../client/connection.js';
import { exchange } from '../client/exchange.js';
import { describeError, EXIT, type ExitCode } from '../terminal/errors.js';
import {
  eventLine,
  eventsEntry,
  followEvents,
  type FollowedEvents,
} from '../feeds/followEvents.js';
import { jsonFields, pick } from '../output/formats.js';
import type { Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ListenOptions extends FollowedEvents {
  forwardTo: string;
  secret?: string;
  jsonl?: true;
}

const FORWARD_MS = 30_000;

interface Forwarded {
  /** Null: there was no answer. */
  status: number | null;
  problem: string | null;
}

/** Continues until Ctrl-C; exit code 0. An event that the program does not accept is shown, and not posted again. */
export async function listen(terminal: Terminal, options: ListenOptions): Promise<ExitCode> {
  const url = checkUrl(options.forwardTo);
  const secret = options.secret ?? terminal.environment.LEADWIRE_SIGNING_SECRET;
  const signed = secret ? '' : ' Without --secret they are not signed.';
  if (terminal.isWatched) terminal.say(`Events are posted to ${url}. Ctrl-C ends it.${signed}`);
  await followEvents(terminal, ['listen'], options, async (rows) => {
    for (const row of rows) show(row, await post(row, url, secret), terminal, options);
  });
  return EXIT.done;
}

async function post(row: Row, url: string, secret: string | undefined): Promise<Forwarded> {
  const { id, type, created_at, data } = row;
  const body = JSON.stringify({ id, type, created_at, data });
  const headers = {
    'content-type': 'application/json',
    ...(secret ? signedHeaders([secret], { id: String(id), body, at: new Date() }) : {}),
  };
  try {
    const reply = await exchange(url, { method: 'POST', headers, body, timeoutMs: FORWARD_MS });
    return { status: reply.status, problem: null };
  } catch (error) {
    return { status: null, problem: describeError(error, false) };
  }
}

function show(
  row: Row,
  { status, problem }: Forwarded,
  { print, paint }: Terminal,
  { jsonl }: ListenOptions,
): void {
  if (jsonl) {
    print(JSON.stringify({ ...row, forwarded: { status, problem } }));
    return;
  }
  const isAccepted = status !== null && status >= 200 && status < 300;
  const answer = problem ?? `answered ${String(status)}`;
  print(`${eventLine(row, paint)}  ${isAccepted ? paint.green(answer) : paint.red(answer)}`);
}

export interface EventsTailOptions extends FollowedEvents {
  jsonl?: true;
  /** As `jsonl`; with fields only these. */
  json?: string | true;
}

/** Ctrl-C, SIGTERM and a reader that closes the output end it in order, with the exit code 0. */
export async function tailEvents(
  terminal: Terminal,
  options: EventsTailOptions,
): Promise<ExitCode> {
  const { json, jsonl } = options;
  const fields = jsonFields(json, eventsEntry().fields, 'leadwire events tail');
  const isForProgram = jsonl ?? json !== undefined;
  const lineOf = (row: Row) =>
    isForProgram ? JSON.stringify(pick(row, fields)) : eventLine(row, terminal.paint);
  if (terminal.isWatched) terminal.say('Following events. Ctrl-C ends it.');
  await followEvents(terminal, ['events', 'tail'], options, (rows) => {
    if (rows.length > 0) terminal.print(rows.map(lineOf).join('\n'));
  });
  return EXIT.done;
}
