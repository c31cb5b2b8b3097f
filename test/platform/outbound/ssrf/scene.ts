/** The outbound client under attack, and the evidence to judge it by. */
import { afterAll, beforeAll } from '@jest/globals';
import type { TransportReply } from '../../../../src/platform/outbound/reply.js';
import {
  createOutboundHttp,
  type OutboundOptions,
  type OutboundRequest,
} from '../../../../src/platform/outbound/http.js';
import { post } from '../doorFixture.js';
import { watchAttempts } from './attempts.js';
import { startListener, type Listener, type Visit } from './listener.js';

export interface Outcome {
  reply: TransportReply;
  /** The listener's connections, from the call until the client is closed. */
  visits: Visit[];
  /** Every address to which a socket was opened, in order. */
  attempts: string[];
}

export interface Scene {
  listener: () => Listener;
  /** The text with PORT replaced by the listener's port. */
  at: (text: string) => string;
  /** Sends one request through a client of its own, which is closed before the verdict. */
  send: (
    url: string,
    options?: Partial<OutboundOptions>,
    request?: Partial<OutboundRequest>,
  ) => Promise<Outcome>;
}

/** One listener per file; each request starts without earlier connections. */
export function useScene(): Scene {
  let listener: Listener;
  beforeAll(async () => {
    listener = await startListener();
  });
  afterAll(() => listener.close());

  const at = (text: string): string => text.replaceAll('PORT', String(listener.port));
  return {
    listener: () => listener,
    at,
    send: async (url, options = {}, request = {}) => {
      const door = createOutboundHttp({ allowPrivate: false, connectTimeoutMs: 1_000, ...options });
      await listener.visits();
      const attempts = watchAttempts();
      const reply = await door.send(post(at(url), request));
      await door.close();
      attempts.stop();
      return { reply, visits: await listener.visits(), attempts: attempts.addresses };
    },
  };
}
