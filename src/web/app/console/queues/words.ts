/** States of deliveries and breakers in words. */
import type { RowOf } from '../../lib/useActions.js';
import type { Tone, Word } from '../../ui/index.js';

export type Delivery = RowOf<'list_deliveries'>;
export type QueueHead = RowOf<'list_buyer_health'>;

export const DELIVERY_WORDS: Record<Delivery['state'], Word> = {
  waiting: ['Waiting', 'info'],
  held: ['Held', 'warning'],
  unknown: ['Unanswered', 'bad'],
  sending: ['Sending', 'info'],
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'neutral'],
  failed: ['Failed', 'bad'],
  abandoned: ['Never answered', 'warning'],
  expired: ['Expired', 'neutral'],
};

export const STATE_OPTIONS = [
  { value: 'waiting', label: 'Waiting to be sent' },
  { value: 'unknown', label: 'Unanswered' },
];

export const BREAKER_WORDS: Record<QueueHead['breaker'], readonly [string, Tone]> = {
  open: ['Cooldown', 'bad'],
  'half-open': ['Trying again', 'warning'],
  // It has asked to be sent nothing for some time.
  closed: ['Pause', 'warning'],
};
