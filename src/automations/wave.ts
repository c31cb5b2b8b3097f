/** One wave of events to one automation: acquires deliveries, sends them, and records their results. */
import { randomUUID } from 'node:crypto';
import { eventBackoffMs } from '../deliveries/rules/backoff.js';
import { BREAKER_THRESHOLD } from '../deliveries/rules/breaker.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import { givesUpAt, type EventDeliveryStore, type EventResult } from './store/eventDeliveries.js';
import type { Chain } from './chains.js';
import { readMessages, type MessageOrLost, type MessageDeps } from './readMessages.js';
import { isAnswered, TIMEOUT_MS, type SenderDeps, type SendResult } from './senders/sender.js';
import { send } from './senders/senders.js';

export interface WaveDeps extends SenderDeps, MessageDeps {
  eventDeliveries: EventDeliveryStore;
  /** True once the process is stopping: nothing more is begun. */
  stopping(): boolean;
}

export interface Wave {
  /** The automation's answers, in order. */
  results: SendResult[];
  /** Number of deliveries that were sent or dead-lettered. */
  settled: number;
  /** Leads for which an event that was tried before no longer blocks the next. */
  passed: string[];
}

/** Maximum requests in flight. */
const CONCURRENCY_MAX = 8;
/** Milliseconds after which nothing is begun; the rest goes with the next wave. */
const WAVE_MS = 10_000;
/** How long a wave holds its deliveries, in milliseconds: longer than it can last. */
const LEASE_MS = WAVE_MS + TIMEOUT_MS + 10_000;

/** Sends the deliveries that no other run has acquired meanwhile, and records their results. */
export async function sendWave(
  automation: AutomationDoc,
  chains: readonly Chain[],
  deps: WaveDeps,
): Promise<Wave> {
  const run = randomUUID();
  // However long this process is stopped in between: it holds the deliveries for longer.
  const endsAt = deps.clock.monotonic() + WAVE_MS;
  const sendBy = endsAt + TIMEOUT_MS;
  const now = deps.clock.now();
  const until = new Date(Number(now) + LEASE_MS);
  const rows = chains.flat();
  const ids = rows.map(({ _id }) => _id);
  const taken = await deps.eventDeliveries.acquire(ids, run, until, now);
  const mine = rows.filter(({ _id }) => taken.has(_id));
  const messages = await readMessages(mine, automation, deps);
  // A sheet cannot recognize a repeat: a delivery that may have arrived is searched for first.
  const isProbed = automation.action === 'GOOGLE_SHEET';
  const repeats = isProbed
    ? await deps.eventDeliveries.repeats([...taken], run)
    : new Set<string>();
  const wave = new Sending(automation, { messages, repeats, endsAt, sendBy }, deps);
  const left = chains.map((chain) => uninterrupted(chain, taken));
  const next = async (): Promise<void> => {
    for (let chain = left.shift(); chain; chain = left.shift()) await wave.sendAll(chain);
  };
  await Promise.all(Array.from({ length: CONCURRENCY_MAX }, next));
  const kinds = new Map(wave.settled.map(({ _id, kind }) => [_id, kind]));
  const unsent = mine.filter(({ _id }) => !kinds.has(_id));
  await deps.eventDeliveries.settle(run, [
    ...wave.settled,
    ...unsent.map(({ _id, due_at }): EventResult => ({ _id, kind: 'unsent', due_at })),
  ]);
  const again = mine.filter(({ _id, attempts }) => attempts > 0 && isFinal(kinds.get(_id)));
  return {
    results: wave.results,
    settled: wave.settled.length,
    passed: [...new Set(again.flatMap(({ lead_id }) => lead_id ?? []))],
  };
}

interface WaveInput {
  messages: ReadonlyMap<string, MessageOrLost>;
  /** Ids of deliveries for which an earlier attempt was begun. */
  repeats: ReadonlySet<string>;
  /** Nothing is begun from then on. */
  endsAt: number;
  /** As in a message. */
  sendBy: number;
}

const isFinal = (kind?: EventResult['kind']): boolean => kind === 'delivered' || kind === 'parked';

/** The part of the chain that this run has acquired. */
function uninterrupted(chain: Chain, taken: ReadonlySet<string>): Chain {
  const end = chain.findIndex(({ _id }) => !taken.has(_id));
  return end === -1 ? chain : chain.slice(0, end);
}

class Sending {
  readonly results: SendResult[] = [];
  readonly settled: EventResult[] = [];
  private failuresInRow = 0;
  private isGone = false;

  constructor(
    private readonly automation: AutomationDoc,
    private readonly input: WaveInput,
    private readonly deps: WaveDeps,
  ) {}

  /** One after another, up to the first that does not arrive: the later ones of its lead wait for it. */
  async sendAll(chain: Chain): Promise<void> {
    for (const row of chain) {
      if (this.isOver()) return;
      const result = await this.sendOne(row);
      this.record(row, result);
      if (result.kind !== 'delivered' && result.kind !== 'refused') return;
    }
  }

  private isOver(): boolean {
    if (this.isGone || this.failuresInRow >= BREAKER_THRESHOLD) return true;
    return this.deps.clock.monotonic() >= this.input.endsAt || this.deps.stopping();
  }

  private async sendOne({ _id }: EventDeliveryDoc): Promise<SendResult> {
    const { messages, repeats, sendBy } = this.input;
    const found = messages.get(_id);
    if (!found || 'lost' in found)
      return { kind: 'refused', reason: found?.lost ?? 'nothing to say' };
    const message = { ...found.message, isRepeat: repeats.has(_id), sendBy };
    return send(message, this.automation, this.deps);
  }

  private record(row: EventDeliveryDoc, result: SendResult): void {
    this.results.push(result);
    if (result.kind === 'delivered' || isAnswered(result)) this.failuresInRow = 0;
    else if (result.kind !== 'refused') this.failuresInRow += 1;
    this.isGone ||= result.kind === 'gone';
    this.settled.push(outcomeOf(row, result, this.automation, this.deps.clock));
  }
}

/** A failure is retried, later each time, until its time is over. */
function outcomeOf(
  row: EventDeliveryDoc,
  result: SendResult,
  automation: AutomationDoc,
  clock: WaveDeps['clock'],
): EventResult {
  const { _id } = row;
  const now = clock.now();
  switch (result.kind) {
    case 'delivered':
      return { _id, kind: 'delivered', at: now, http_status: result.http_status };
    case 'refused':
      return { _id, kind: 'parked', reason: result.reason };
    case 'failed':
    case 'gone': {
      const failure = { _id, reason: result.reason, http_status: result.http_status };
      if (now >= givesUpAt(row, automation)) return { ...failure, kind: 'parked' };
      const askedMs = result.kind === 'failed' ? (result.retryAfterMs ?? 0) : 0;
      const waitMs = Math.max(askedMs, eventBackoffMs(row.attempts + 1, clock.random()));
      return { ...failure, kind: 'again', due_at: new Date(Number(now) + waitMs) };
    }
  }
}
