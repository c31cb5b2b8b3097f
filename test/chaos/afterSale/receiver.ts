/** The receiver of events: an HTTP server that records each request before it answers, well or badly. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isSigned } from '../../../src/platform/security/signatures.js';
import type { Journal } from '../buyers/journal.js';
import { createRandom } from '../prng.js';
import { reset } from '../faults/resetting.js';
import { listenSteadily } from '../cluster/steadyPort.js';
import type { ReceivedLine } from './evidence.js';

/** The automation that sends events to a path of the receiver. */
export interface Sender {
  automation_id: string;
  secret: string;
}

export interface ReceiverDeps {
  seed: string;
  journal: Journal<ReceivedLine>;
  /** Called when the journal cannot be written: no answer may go out then. */
  onFatal: (error: unknown) => void;
}

export interface Receiver {
  port: number;
  /** Sets which automation sends to which path, from now on. */
  introduce(senders: Record<string, Sender>): void;
  /** From now on every event is accepted at once. */
  calm(): void;
}

type Manner = 'well' | 'slow' | 'busy' | 'cut';
const MANNERS = [
  ['well', 84],
  ['slow', 6],
  ['busy', 6],
  ['cut', 4],
] as const satisfies readonly (readonly [Manner, number])[];
const SLOW_MS: readonly [number, number] = [200, 1_500];
const YES = 200;
const BUSY = 503;

/** @throws {Error} when no port can be taken */
export async function openReceiver({ seed, journal, onFatal }: ReceiverDeps): Promise<Receiver> {
  const senders = new Map<string, Sender>();
  const times = new Map<string, number>();
  let isCalm = false;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The connection broke within the request, so it has not arrived.
    const text = await textOf(request).catch(() => null);
    if (text === null) return;
    const arrived = readArrived(request, text, senders);
    const time = (times.get(arrived.event_id) ?? 0) + 1;
    times.set(arrived.event_id, time);
    const random = createRandom(seed, `${arrived.event_id} ${time}`);
    const manner = isCalm ? 'well' : random.weighted<Manner>(MANNERS);
    if (manner === 'slow') await delay(random.between(...SLOW_MS));
    const status = manner === 'busy' ? BUSY : YES;
    await journal.write({ ...arrived, at: Date.now(), status, cut: manner === 'cut' });
    if (manner === 'cut') reset(request.socket);
    else response.writeHead(status).end();
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(onFatal);
  });
  return {
    port: await listenSteadily(server),
    introduce: (named) => Object.entries(named).forEach(([path, one]) => senders.set(path, one)),
    calm: () => void (isCalm = true),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

type Arrived = Omit<ReceivedLine, 'at' | 'status' | 'cut'>;

function readArrived(
  { url = '', headers }: IncomingMessage,
  text: string,
  senders: ReadonlyMap<string, Sender>,
): Arrived {
  const sender = senders.get(url.slice(1));
  const envelope = readEnvelope(text);
  const arrived = {
    automation_id: sender?.automation_id ?? '',
    event_id: envelope.id ?? '',
    type: envelope.type ?? '',
    lead_id: envelope.data?.lead_id ?? '',
    body: createHash('sha256').update(text).digest('hex'),
  };
  const flaw = flawOf();
  return flaw === null ? arrived : { ...arrived, flaw };

  function flawOf(): string | null {
    if (!sender) return `the path is ${url}, which no automation has`;
    if (headers['webhook-id'] !== envelope.id)
      return `webhook-id is ${String(headers['webhook-id'])}, the id is ${String(envelope.id)}`;
    const signature = String(headers['x-leaddistro-signature']);
    return isSigned(sender.secret, text, signature) ? null : 'the signature is false';
  }
}

interface Seen {
  id?: string;
  type?: string;
  data?: { lead_id?: string };
}

function readEnvelope(text: string): Seen {
  try {
    return JSON.parse(text) as Seen;
  } catch {
    return {};
  }
}
