/** What the HTTP layer asks of the intake, and what it gets. */
import type { FunnelOrigin } from '../leads/rules/origin.js';

export interface IngestRequest {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  body: Record<string, unknown>;
  /** The raw `Idempotency-Key` header. */
  idempotencyKey?: string | undefined;
  /** When the request arrived, on the clock of `performance.now()`. */
  receivedAt: number;
  /** Aborted when the supplier's connection closes before its answer. */
  closed: AbortSignal;
  /** The page that it was filled in on; absent: its supplier posted it. */
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
  /** The answer of an earlier request was given again. */
  replayed: boolean;
  /** Headers to set: the RateLimit fields. */
  headers?: Record<string, string>;
  leadId: string;
}

export interface Intake {
  /**
   * Takes one lead and answers when it is decided, or when its campaign's `answer_within_ms` is over.
   * @throws {AppError} every refusal of contract 2.4
   */
  submit(request: IngestRequest): Promise<IngestAnswer>;
  /** Tells what became of the answer: written to the socket, or the connection broke first. */
  answered(leadId: string, delivered: boolean): void;
}
