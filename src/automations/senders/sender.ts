/** One way to report an event. */
import type { Envelope } from '../../events/rules/events.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { ChannelDeps } from '../../deliveries/channels/channel.js';
import type { Redistribute } from '../../leads/rules/resale.js';
import type { AutomationDoc, AutomationTarget } from '../../account/store/automationDocs.js';

export interface SenderDeps extends ChannelDeps {
  /** Null where leads are not sold again. */
  redistribute: Redistribute | null;
}

export interface Message {
  /** Id of the delivery: the same at every attempt. */
  id: string;
  envelope: Envelope;
  /** Read for senders that need the whole lead. */
  lead: Lead | null;
  /** An earlier attempt was begun: the receiver may have it. */
  isRepeat: boolean;
  /** Nothing is begun after this, on the clock of performance.now(): then another run may send it. */
  sendBy: number;
}

/**
 * failed: it is retried. refused: a retry would change nothing, and only the event is at fault.
 * gone: the receiver no longer exists, and nothing need be sent again.
 * `answered`: the receiver is healthy, and refused this one event.
 */
export type SendResult =
  | { kind: 'delivered'; http_status?: number }
  | {
      kind: 'failed';
      reason: string;
      http_status?: number;
      retryAfterMs?: number;
      answered?: true;
      /** A limit of ours held it back: no evidence about the receiver. */
      ownLimit?: true;
    }
  | { kind: 'refused'; reason: string }
  | { kind: 'gone'; reason: string; http_status?: number };

/** A receiver that refuses one event is healthy, like a buyer that refuses a lead. */
export const isAnswered = (result: SendResult): boolean =>
  result.kind === 'failed' && result.answered === true;

/** Sends once. An error that it throws counts as a failure. */
export type Sender<A extends AutomationDoc['action']> = (
  message: Message,
  automation: AutomationDoc & Extract<AutomationTarget, { action: A }>,
  deps: SenderDeps,
) => Promise<SendResult>;

/** Timeout of one request, in milliseconds. */
export const TIMEOUT_MS = 10_000;
