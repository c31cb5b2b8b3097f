import type { TlsTrouble } from './tlsTrouble.js';

/** The result of a request. not_sent: no byte of it can have reached the buyer. */
export type TransportReply = HttpAnswer | NoReply;

export interface HttpAnswer {
  kind: 'answered';
  status: number;
  headers: Record<string, string>;
  /** Unpacked and decoded. */
  body: string;
  /** Why the body could not be unpacked; it is then empty, which says nothing of what was answered. */
  undecoded?: string;
}

export interface NoReply {
  kind: 'not_sent' | 'no_answer';
  reason: string;
  /** This process was late itself: no evidence about the server. */
  late?: true;
  /** The server's TLS is too weak or too old for a connection. */
  tls?: TlsTrouble;
}
