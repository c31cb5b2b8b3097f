import type { NoReply } from '../reply.js';

export interface MailContent {
  to: string[];
  cc: string[];
  subject: string;
  text?: string;
  html?: string;
  /** The lead as JSON, to be attached as a file. */
  json?: string;
  /** Left of the @ of the Message-ID: the same for a lead and a buyer at every attempt. */
  messageName: string;
  headers: Record<string, string>;
}

/**
 * The result of a mail. `session`: connecting, greeting, TLS or log-in; `sender`: MAIL FROM; `recipients`: RCPT TO;
 * `message`: DATA and what followed.
 */
export type MailReply =
  | { kind: 'taken'; response: string; refused: string[] }
  | {
      kind: 'refused';
      stage: 'session' | 'sender' | 'recipients' | 'message';
      code: number;
      response: string;
    }
  | NoReply;
