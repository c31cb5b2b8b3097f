/** The commands on deliveries in words. */
import type { BulkWords } from './bulkDialog.js';

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

const COMMON = {
  note: { max: 200, hint: 'Recorded on the trail of each lead.' },
  cannot: CANNOT,
};

export const ACT_WORDS: Record<QueueAct, BulkWords & { button: string; whole: string }> = {
  retry: {
    ...COMMON,
    button: 'Resend',
    whole: 'Resend all',
    title: 'Resend deliveries',
    act: 'Resend',
    will: (...of) => `${deliveries(...of)} will be sent now`,
    did: (...of) => `${deliveries(...of)} sent again`,
    about: 'A hold, and a cooldown of the buyer, end.',
  },
  hold: {
    ...COMMON,
    button: 'Hold',
    whole: 'Hold queue',
    title: 'Hold deliveries',
    act: 'Hold',
    will: (...of) => `${deliveries(...of)} will wait until an operator resends them`,
    did: (...of) => `${deliveries(...of)} held`,
    about: 'Their time limit keeps running.',
  },
  drop: {
    ...COMMON,
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
    ...COMMON,
    button: 'Mark accepted',
    whole: 'Mark unanswered as accepted',
    title: 'Mark as accepted',
    act: 'Mark accepted',
    will: (...of) => `${deliveries(...of)} will be recorded as sold`,
    did: (...of) => `${deliveries(...of)} recorded as sold`,
    about: 'For deliveries that the buyer says it has. This cannot be undone.',
  },
  rejected: {
    ...COMMON,
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
