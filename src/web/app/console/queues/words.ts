/** States of deliveries and breakers in words, and the words of the commands on them. */
import type { RowOf } from '../../lib/useActions.js';
import type { Tone, Word } from '../../ui/index.js';
import type { BulkWords } from '../bulk/bulkDialog.js';

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

/** A command of an operator; the last two settle deliveries that were never answered. */
export type QueueAct = 'retry' | 'hold' | 'drop' | 'accepted' | 'rejected';
export const isVerdict = (act: QueueAct): act is 'accepted' | 'rejected' =>
  act === 'accepted' || act === 'rejected';

const CANNOT = {
  not_waiting: 'no longer wait',
  being_sent: 'are being sent now',
  unknown_delivery: 'were never answered: mark them as accepted or not accepted',
  busy: 'are being processed: try again in a moment',
  already_done: 'were so already',
  already_resolved: 'were decided otherwise before',
  not_found: 'are gone',
  continues: 'take longer: check them in a moment',
};

const deliveries = (count: string, isOne: boolean): string =>
  `${count} ${isOne ? 'delivery' : 'deliveries'}`;

const NOTE = { noteMax: 200, noteHint: 'Recorded on the trail of each lead.', cannot: CANNOT };

export const ACT_WORDS: Record<QueueAct, BulkWords & { button: string; whole: string }> = {
  retry: {
    ...NOTE,
    button: 'Resend',
    whole: 'Resend all',
    title: 'Resend deliveries',
    act: 'Resend',
    will: (...of) => `${deliveries(...of)} will be sent now`,
    did: (...of) => `${deliveries(...of)} sent again`,
    about: 'A hold, and a cooldown of the buyer, end.',
  },
  hold: {
    ...NOTE,
    button: 'Hold',
    whole: 'Hold queue',
    title: 'Hold deliveries',
    act: 'Hold',
    will: (...of) => `${deliveries(...of)} will wait until an operator resends them`,
    did: (...of) => `${deliveries(...of)} held`,
    about: 'Their time limit keeps running.',
  },
  drop: {
    ...NOTE,
    button: 'Drop',
    whole: 'Drop all',
    title: 'Drop deliveries',
    act: 'Drop',
    kind: 'danger',
    will: (...of) => `${deliveries(...of)} will end without a sale to this buyer`,
    did: (...of) => `${deliveries(...of)} dropped`,
    about: 'This cannot be undone.',
  },
  accepted: {
    ...NOTE,
    button: 'Mark accepted',
    whole: 'Mark unanswered as accepted',
    title: 'Mark as accepted',
    act: 'Mark accepted',
    will: (...of) => `${deliveries(...of)} will be recorded as sold`,
    did: (...of) => `${deliveries(...of)} recorded as sold`,
    about: 'For deliveries that the buyer says it has. This cannot be undone.',
  },
  rejected: {
    ...NOTE,
    button: 'Mark not accepted',
    whole: 'Mark unanswered as not accepted',
    title: 'Mark as not accepted',
    act: 'Mark not accepted',
    will: (...of) => `${deliveries(...of)} will go to the next buyer`,
    did: (...of) => `${deliveries(...of)} recorded as not accepted`,
    about:
      'For deliveries that the buyer says it does not have: their places in its caps are free again. This cannot be undone.',
  },
};
