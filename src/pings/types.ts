/** What the HTTP layer passes to the ping service, and what it receives. */

export interface PingCall {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  body: Record<string, unknown>;
  /** When the request arrived, on the clock of `performance.now()`. */
  receivedAt: number;
}

export interface ShownBid {
  /** The buyer's id, or one that stands in for it. */
  buyer_id: string;
  /** What the supplier would receive, as on the wire. */
  bid_price: number;
}

/** What a supplier receives (contract 5.2). */
export type PingAnswer =
  | {
      accepted: true;
      /** The signed token: a post carries it as `flo_ping_id`. */
      ping_id: string;
      message: string;
      expires_at: string;
      /** Best first. */
      buyers: ShownBid[];
    }
  | { accepted: false; reason: string; message: string };

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
