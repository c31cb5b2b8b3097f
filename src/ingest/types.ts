/** What the HTTP layer passes to the intake, and what it receives. */
import type { FunnelOrigin } from '../leads/rules/origin.js';

export interface IngestRequest {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  body: Record<string, unknown>;
  /** The raw `Idempotency-Key` header. */
  idempotencyKey?: string;
  /** When the request arrived, on the clock of `performance.now()`. */
  receivedAt: number;
  /** Aborted when the supplier's connection closes before its answer. */
  closed: AbortSignal;
  /** The page on which the lead was filled in; absent: its supplier posted it. */
  origin?: FunnelOrigin;
}

export interface IngestData {
  id: string;
  status: 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE';
  /** Null, but present, when no buyer has it. */
  buyer_id: string | null;
  campaign_id: string;
  delivery?: 'delivered' | 'pending';
  duplicate_of?: string;
}

export interface IngestAnswer {
  status: 201 | 200;
  data: IngestData;
  /** The answer repeats an earlier request's. */
  replayed: boolean;
  /** Headers to set: the RateLimit fields. */
  headers?: Record<string, string>;
  leadId: string;
}

export interface Intake {
  /**
   * Accepts one lead and answers when it is decided, or when its campaign's `answer_within_ms` is over.
   * @throws {AppError} every refusal of contract 2.4
   */
  submit(request: IngestRequest): Promise<IngestAnswer>;
  /**
   * Whether a lead with these fields would be accepted for its decision now: its key, its campaign and each field are
   * checked, and nothing is stored or counted.
   * @throws {AppError} as `submit`, for all that is wrong with the request itself
   */
  check(request: Pick<IngestRequest, 'key' | 'body'>): Promise<void>;
  /** Reports whether the answer was written to the socket or the connection broke first. */
  answered(leadId: string, delivered: boolean): void;
}
