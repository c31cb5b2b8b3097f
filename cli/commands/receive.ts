/** `leadwire receive`: a buyer for testing. It accepts deliveries, checks their signatures, and shows them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSigned } from '../../src/platform/security/signatures.js';
import { checkUrl } from '../client/connection.js';
import { exchange } from '../client/exchange.js';
import { untilStopped } from '../client/interrupt.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { visible } from '../output/cells.js';
import { isRow } from '../output/rows.js';
import { parseExactJson } from '../../src/lib/exactJson.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ReceiveOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  secret?: string;
  /** Status of the answer. */
  answer: number;
  /** Requests are forwarded to this address, and its answers are returned. */
  forwardTo?: string;
  jsonl?: true;
}

/** A delivery is at most as large as a lead. */
const BODY_MAX_BYTES = 1_048_576;
const FORWARD_MS = 60_000;
const SIGNATURE = 'x-leaddistro-signature';
/** Hop-by-hop headers. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

type Check = 'right' | 'wrong' | 'missing' | 'unchecked';

interface Taken {
  at: string;
  lead_id: string | null;
  signature: Check;
  answered: number;
  body: unknown;
}

/** Continues until Ctrl-C; exit code 0. */
export async function receive(terminal: Terminal, options: ReceiveOptions): Promise<ExitCode> {
  const secret = options.secret ?? terminal.environment.LEADWIRE_SIGNING_SECRET;
  const target = options.forwardTo === undefined ? undefined : checkUrl(options.forwardTo);
  const server = createServer((request, response) => {
    take(request, response, { ...options, secret, target }).then(
      (taken) => show(taken, terminal, options),
      (error: unknown) => {
        terminal.say(describeError(error, false));
        response.destroy();
      },
    );
  });
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(
      `Cannot listen at ${options.host}:${options.port}: ${describeError(error, false)}. Choose another with --port.`,
    );
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host}:${port}/`;
  terminal.say(
    `Receiving at ${url}. Ctrl-C ends it. Send a buyer's leads here (the server needs OUTBOUND_ALLOW_PRIVATE=true):\n` +
      `  leadwire buyers set-delivery BUYER_ID --url ${url}\n` +
      (secret ? '' : 'Without --secret signatures are not checked.\n').trimEnd(),
  );
  try {
    await untilStopped(
      terminal,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return EXIT.done;
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, target, answer }: Pick<ReceiveOptions, 'secret' | 'answer'> & { target?: string },
): Promise<Taken> {
  const body = await bytesOf(request);
  const given = request.headers[SIGNATURE];
  const signature = checkOf(secret, body, typeof given === 'string' ? given : undefined);
  const reply = target === undefined ? null : await forward(request, body, target);
  const answered = reply?.status ?? answer;
  response.writeHead(answered, { 'content-type': reply?.type ?? 'application/json' });
  response.end(reply?.text ?? JSON.stringify({ status: answered < 300 ? 'accepted' : 'rejected' }));
  const lead = request.headers['x-lead-id'];
  return {
    at: new Date().toISOString(),
    lead_id: typeof lead === 'string' ? lead : null,
    signature,
    answered,
    body: parse(body),
  };
}

function checkOf(secret: string | undefined, body: Uint8Array, given: string | undefined): Check {
  if (given === undefined) return 'missing';
  if (!secret) return 'unchecked';
  return isSigned(secret, body, given) ? 'right' : 'wrong';
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_MAX_BYTES)
      throw new UsageError(`A request of more than ${BODY_MAX_BYTES} bytes was truncated.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** If the address does not answer, the result is 502, as for any proxy. */
async function forward(request: IncomingMessage, body: Buffer, target: string) {
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !OWN_HEADERS.has(name) ? [[name, value]] : [],
    ),
  );
  try {
    const reply = await exchange(target, {
      method: 'POST',
      headers,
      body: body.toString(),
      timeoutMs: FORWARD_MS,
    });
    return { status: reply.status, text: reply.text, type: reply.header('content-type') };
  } catch (error) {
    const text = JSON.stringify({ error: 'bad_gateway', message: describeError(error, false) });
    return { status: 502, text, type: undefined };
  }
}

function parse(body: Buffer): unknown {
  const text = body.toString();
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function show(taken: Taken, { print, paint }: Terminal, { jsonl }: ReceiveOptions): void {
  if (jsonl) {
    print(JSON.stringify(taken));
    return;
  }
  const { at, lead_id, signature, answered, body } = taken;
  const checked = {
    right: paint.green('signed'),
    wrong: paint.red('WRONG SIGNATURE'),
    missing: paint.red('no signature'),
    unchecked: paint.dim('signature not checked'),
  }[signature];
  const fields = isRow(body)
    ? Object.entries(body).map(([key, value]) => `  ${key}: ${visible(JSON.stringify(value))}`)
    : [`  ${visible(String(body))}`];
  const heading = `${at}  ${paint.bold(lead_id ?? 'no lead id')}  ${checked}  answered ${answered}`;
  print([heading, ...fields].join('\n'));
}
