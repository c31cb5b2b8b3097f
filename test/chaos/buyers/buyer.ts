/** One buyer: a server on a port of its own, so that it alone can be unreachable. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { JournalLine } from '../evidence/evidence.js';
import { reset } from '../faults/resetting.js';
import { listenSteadily } from '../cluster/steadyPort.js';
import { giveAnswer } from './answering.js';
import { readArrival, type Arrival, type Identity } from './arrival.js';
import { behaviorOf, type Behavior, type BuyerMode, type Habits, type Times } from './behaviors.js';
import type { Journal } from './journal.js';
import type { Memory } from './memory.js';

export interface BuyerSpec extends Habits {
  /** Its path, and part of the seed of its draws. */
  name: string;
  /** It stores its decision under an Idempotency-Key, and accepts no lead twice under the same key. */
  honoursKeys: boolean;
  /** `well` by default. */
  mode?: BuyerMode;
}

export interface BuyerDeps {
  seed: string;
  times: Times;
  journal: Journal;
  memory: Memory;
  /** Called when the journal cannot be written: no answer may go out then. */
  onFatal(error: unknown): void;
}

export interface Buyer {
  port: number;
  /** In effect for requests and connections that come after this resolves. */
  behave(mode: BuyerMode): Promise<void>;
  introduce(identity: Identity): void;
}

/** @throws {Error} when `port`, or no port at all, can be taken */
export async function openBuyer(spec: BuyerSpec, deps: BuyerDeps, port?: number): Promise<Buyer> {
  let mode: BuyerMode = 'well';
  let identity: Identity | undefined;
  const sockets = new Set<Socket>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The connection broke within the request, so it has not arrived.
    const arrival = await readArrival(request, spec.name, identity).catch(() => null);
    if (!arrival) return;
    const behaviour = decide(arrival, { spec, mode, ...deps });
    const line: JournalLine = {
      at: Date.now(),
      request: deps.memory.nextRequest(),
      step: 'decided',
      ...arrival,
      decision: behaviour.decision,
      ...(behaviour.price === undefined ? {} : { price: behaviour.price }),
      ...('status' in behaviour.answer ? { status: behaviour.answer.status } : {}),
    };
    deps.memory.decided(line);
    await deps.journal.write(line);
    const step = await giveAnswer(response, behaviour, deps.times);
    await deps.journal.write({ ...line, at: Date.now(), step });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => deps.onFatal(error));
  });
  server.on('connection', (socket) => {
    if (mode === 'reset') {
      reset(socket);
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const change = async (next: BuyerMode): Promise<void> => {
    mode = next;
    if (next === 'refuse' || next === 'reset') sockets.forEach(reset);
    if (next === 'refuse' && server.listening) {
      server.close();
      await once(server, 'close');
    }
    if (next !== 'refuse' && !server.listening) await listenSteadily(server, taken);
  };
  // One after the other: a port may still be closing when it is needed again.
  let changing: Promise<void> = Promise.resolve();
  const behave = (next: BuyerMode): Promise<void> => (changing = changing.then(() => change(next)));
  const taken = await listenSteadily(server, port);
  await behave(spec.mode ?? 'well');
  return { port: taken, behave, introduce: (given) => void (identity = given) };
}

interface Deciding {
  spec: BuyerSpec;
  mode: BuyerMode;
  seed: string;
  times: Times;
  memory: Memory;
}

function decide(arrival: Arrival, { spec, mode, seed, times, memory }: Deciding): Behavior {
  if (arrival.flaw !== undefined) return malformed(arrival.flaw);
  const { buyer_id, lead_id, idempotency_key } = arrival;
  return behaviorOf({
    seed,
    buyer: spec.name,
    leadId: lead_id,
    time: memory.nextTime(buyer_id, lead_id),
    mode,
    habits: spec,
    times,
    first: spec.honoursKeys ? memory.word(buyer_id, idempotency_key) : null,
  });
}

function malformed(flaw: string): Behavior {
  const headers = { 'content-type': 'application/json' };
  const answer = { way: 'whole', status: 400, headers, body: JSON.stringify({ flaw }) } as const;
  return { name: 'garbage', decision: 'garbage', delayMs: 0, answer };
}
