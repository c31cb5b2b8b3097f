/** What the HTTP layer passes to the ping service, and what it receives. */
import type { z } from 'zod';
import type { PingResult } from './schemas/ping.js';

export interface PingCall {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  body: Record<string, unknown>;
  /** When the request arrived, on the clock of `performance.now()`. */
  receivedAt: number;
}

/** What a supplier receives (contract 5.2). */
export type PingAnswer = z.infer<typeof PingResult>;

export interface PingReply {
  data: PingAnswer;
  /** The RateLimit fields. */
  headers: Record<string, string>;
}

export interface Pings {
  /**
   * Which buyers would buy, and at what price. No lead is created.
   * @throws {AppError} `validation_failed`, `unauthorized`, `forbidden`, `campaign_not_found`, `rate_limited`,
   * `unavailable`
   */
  submit(call: PingCall): Promise<PingReply>;
  /** Resolves when nothing waits and nothing is being read or written. */
  idle(): Promise<void>;
}
