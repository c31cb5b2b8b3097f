/** One way to tell of an event. */
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { Envelope } from '../../events/rules/events.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { OutboundHttp } from '../../platform/outbound/http.js';
import type { MailGate } from '../../deliveries/recipients/gate.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import type { Sheets } from '../../platform/outbound/sheets/sheets.js';
import type { SheetOwners } from '../../account/store/spreadsheets.js';
import type { Redistribute } from '../../outcomes/resale/types.js';
import type { AutomationDoc, AutomationTarget } from '../../account/store/automationDocs.js';

export interface SenderDeps {
  outbound: OutboundHttp;
  /** Null where the settings of this installation have none. */
  mail: Mail | null;
  mailGate: MailGate;
  /** Null where they have no service account. */
  sheets: Sheets | null;
  sheetOwners: SheetOwners;
  keyring: Keyring;
  clock: Clock;
  /** Null where leads are not sold again. */
  redistribute: Redistribute | null;
}

export interface Message {
  /** Of the delivery: the same at every attempt. */
  id: string;
  envelope: Envelope;
  /** Read for those senders that need the whole of it. */
  lead: Lead | null;
  /** It was begun to be sent before: whoever is told may have it. */
  isRepeat: boolean;
  /** Nothing is begun after this, on the clock of performance.now(): then it may be sent by another. */
  sendBy: number;
}

/**
 * failed: it is tried again. refused: trying again would change nothing, and it is nobody's fault but the event's.
 * gone: there is nobody there any more, and nothing need be sent again.
 * `answered`: the receiver is well, and said no to this one event.
 */
export type SendResult =
  | { kind: 'delivered'; http_status?: number }
  | {
      kind: 'failed';
      reason: string;
      http_status?: number;
      retryAfterMs?: number;
      answered?: true;
      /** It was kept back here, and says nothing of the receiver. */
      ownLimit?: true;
    }
  | { kind: 'refused'; reason: string }
  | { kind: 'gone'; reason: string; http_status?: number };

/** A receiver that refuses one event is healthy, like a buyer that refuses a lead. */
export const isAnswered = (result: SendResult): boolean =>
  result.kind === 'failed' && result.answered === true;

/** Sends once. What it throws is a failure like any other. */
export type Sender<A extends AutomationDoc['action']> = (
  message: Message,
  automation: AutomationDoc & Extract<AutomationTarget, { action: A }>,
  deps: SenderDeps,
) => Promise<SendResult>;

/** One request may take so long, in milliseconds. */
export const TIMEOUT_MS = 10_000;
