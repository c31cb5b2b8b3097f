/** Sends a lead until it is answered, as the contract says, or until its supplier gives up. */
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '../../prng.js';
import type { Intent } from './workload.js';
import type { Reading } from './reading.js';
import { ABORTED, type Sender, type Sending, type Sent } from './sending.js';

export interface PostDeps {
  seed: string;
  sender: Sender;
  /** A lead is not sent again after this many milliseconds. */
  giveUpAfterMs: number;
  /** Maximum pause, whatever Retry-After says, in milliseconds. */
  pauseMaxMs: number;
  /** Maximum time between the answer and another body under the used key, in milliseconds. */
  alterWithinMs: number;
  /** Aborted when the run is over for good. */
  over: AbortSignal;
}

/** Rare supplier behavior. */
export interface PostedIntent {
  gaveUp: boolean;
  aborted: boolean;
  altered: boolean;
}

/** The first pause where the service named none. */
const FIRST_PAUSE_MS = 250;
const ABORT_WITHIN_MS = 120;

export async function postUntilAnswered(intent: Intent, deps: PostDeps): Promise<PostedIntent> {
  const random = createRandom(deps.seed, `pursuit ${intent.intent}`);
  const state: PostState = { intent, random, time: 0, aborted: false };
  const abortAfterMs = intent.habit === 'aborts' ? random.between(1, ABORT_WITHIN_MS) : undefined;
  const [sent] = await Promise.all([
    untilAnswered(state, deps, { altered: false, abortAfterMs }),
    intent.habit === 'twice' ? untilAnswered(state, deps, { altered: false }) : null,
  ]);
  const alters = intent.habit === 'alters' && isKept(sent) && !deps.over.aborted;
  if (alters) {
    await pause(random.between(1, deps.alterWithinMs), deps);
    await untilAnswered(state, deps, { altered: true });
  }
  return { gaveUp: sent.outcome !== 'ok', aborted: state.aborted, altered: alters };
}

interface PostState {
  intent: Intent;
  random: Random;
  /** Sendings so far. */
  time: number;
  aborted: boolean;
}

async function untilAnswered(
  state: PostState,
  deps: PostDeps,
  first: Pick<Sending, 'altered' | 'abortAfterMs'>,
): Promise<Reading> {
  const giveUpAt = performance.now() + deps.giveUpAfterMs;
  for (let times = 1; ; times++) {
    const sent = await deps.sender.send({
      intent: state.intent,
      time: ++state.time,
      altered: first.altered,
      ...(times === 1 ? { abortAfterMs: first.abortAfterMs } : {}),
    });
    const { reading } = sent;
    if (reading.error === ABORTED) state.aborted = true;
    if (reading.outcome === 'ok' || reading.answer === 'unexpected') return reading;
    const pauseMs = pauseAfter(sent, times, state.random, deps.pauseMaxMs);
    if (deps.over.aborted || performance.now() + pauseMs > giveUpAt) return reading;
    await pause(pauseMs, deps);
  }
}

/**
 * The time that the service named, doubled each time; up to half as much again, so that not all suppliers come back
 * at once. A service that recovers must not be hit by every supplier that was refused meanwhile.
 */
function pauseAfter(sent: Sent, times: number, random: Random, longestMs: number): number {
  const asked = (sent.retryAfterMs ?? FIRST_PAUSE_MS) * 2 ** (times - 1);
  // Only after the whole time does the service recognize the request as the same one.
  const least = sent.reading.answer === 'cannot_tell' ? (sent.retryAfterMs ?? 0) : 0;
  return Math.max(least, Math.min(asked, longestMs)) * (1 + random.next() / 2);
}

/** Only these answers are stored under a key (contract 3.2); after any other, the key may serve another body. */
function isKept({ answer }: Reading): boolean {
  return answer !== null && KEPT.includes(answer);
}

const KEPT: readonly string[] = ['delivered', 'pending', 'unmatched', 'duplicate', 'rejected'];

const pause = (ms: number, { over }: PostDeps): Promise<unknown> =>
  delay(ms, undefined, { signal: over }).catch(() => undefined);
