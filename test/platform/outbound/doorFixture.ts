/** An outbound client and its peers, closed after each test. */
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundOptions,
  type OutboundRequest,
} from '../../../src/platform/outbound/http.js';
import { startPeer, type Peer } from '../../support/peers.js';

export interface Fixture {
  door: (options?: Partial<OutboundOptions>) => OutboundHttp;
  peer: (behaviour: Parameters<typeof startPeer>[0]) => Promise<Peer>;
  /** A peer that gives this answer to each request. */
  answering: (text: string) => Promise<Peer>;
}

export function useDoor(): Fixture {
  const doors: OutboundHttp[] = [];
  const peers: Peer[] = [];
  afterEach(async () => {
    // Peers first: a client closes when its open requests have ended.
    await Promise.all(peers.splice(0).map((peer) => peer.close()));
    await Promise.all(doors.splice(0).map((door) => door.close()));
  });
  const peer: Fixture['peer'] = async (behaviour) => {
    const started = await startPeer(behaviour);
    peers.push(started);
    return started;
  };
  return {
    door: (options = {}) => {
      const door = createOutboundHttp({ allowPrivate: true, ...options });
      doors.push(door);
      return door;
    },
    peer,
    answering: (text) => peer({ onData: (socket) => socket.write(text) }),
  };
}

export const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"phone":"+15551234567"}',
  timeoutMs: 2_000,
  ...more,
});

/**
 * How long some work took, from before its first step. It begins in its own turn of the event loop: a timer counts
 * from the beginning of its turn, and would seem early by the time of anything that ran in that turn before.
 */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  await setTimeout(1);
  const from = performance.now();
  const value = await work();
  return { value, ms: performance.now() - from };
}

/** A promise that a callback resolves. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
