import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { Button, Written, type ButtonKind } from '../../ui/index.js';
import { BulkDialog, type BulkWords } from '../bulk/bulkDialog.js';
import { ACT_WORDS, type QueueAct } from '../bulk/deliveryWords.js';
import type { Bulk } from '../bulk/useBulk.js';
import { useDeliveryActs, type DeliveryRow } from '../bulk/useDeliveryActs.js';
import { useReadAgain } from '../bulk/useStep.js';

export type Command = 'retry' | 'hold' | 'drop' | 'resolve';

const ACTIONS = {
  retry: 'retry_deliveries',
  hold: 'hold_deliveries',
  drop: 'drop_deliveries',
  resolve: 'resolve_deliveries',
} as const;

interface CommandProps {
  command: Command;
  delivery: { id: string; buyer_name: string | null };
  /** Default: the name of the command. */
  text?: string;
  kind?: ButtonKind;
}

/** A command on one delivery: its dry run first says whether it would do anything. */
export function CommandButton({ command, delivery, text, kind }: CommandProps): ReactNode {
  const may = useCan(ACTIONS[command]);
  const [isOpen, setIsOpen] = useState(false);
  const readAgain = useReadAgain();
  const { run, error } = useDeliveryActs();
  if (!may) return null;
  const words = WORDS[command](delivery.buyer_name ?? 'the buyer');
  const title = text ?? words.title;
  const actOf = (pressed: string): QueueAct =>
    command === 'resolve' ? (pressed === 'rejected' ? 'rejected' : 'accepted') : command;
  const bulk: Bulk<DeliveryRow> = {
    ids: [delivery.id],
    keyOf: ({ delivery_id }) => delivery_id,
    check: () => run(actOf(''), { delivery_ids: [delivery.id], dry_run: true }),
    carryOut: (ids, { note, act }) =>
      run(actOf(act), { delivery_ids: [...ids], note: note || undefined }),
    error,
  };
  return (
    <>
      <Button kind={kind} onClick={() => setIsOpen(true)}>
        {title}
      </Button>
      {isOpen && (
        <BulkDialog
          words={{ ...words, title }}
          bulk={bulk}
          onClose={() => setIsOpen(false)}
          onDone={readAgain}
        />
      )}
    </>
  );
}

const COMMON = {
  isSingle: true,
  note: { max: 200, hint: 'Recorded on the lead' },
  cannot: ACT_WORDS.retry.cannot,
};

const WORDS: Record<Command, (buyer: string) => BulkWords> = {
  retry: (buyer) => ({
    ...COMMON,
    title: 'Send now',
    act: 'Send now',
    will: () => (
      <>
        The lead is sent to <Written>{buyer}</Written> now
      </>
    ),
    did: () => 'It is being sent',
    about:
      'A hold, and a cooldown of the buyer, end. If an earlier request did arrive, it carries the same idempotency key.',
  }),
  hold: (buyer) => ({
    ...COMMON,
    title: 'Hold',
    act: 'Hold',
    will: () => (
      <>
        The lead is sent to <Written>{buyer}</Written> only after a retry
      </>
    ),
    did: () => 'It is on hold',
    about: 'Its time limit keeps running.',
  }),
  drop: (buyer) => ({
    ...COMMON,
    title: 'Drop',
    act: 'Drop',
    kind: 'danger',
    will: () => (
      <>
        The delivery to <Written>{buyer}</Written> ends without a sale
      </>
    ),
    did: () => 'The delivery has ended',
    about: 'This cannot be undone.',
  }),
  resolve: (buyer) => ({
    ...COMMON,
    title: 'Record the answer',
    act: 'Record the answer',
    acts: [
      ['accepted', 'It accepted the lead', 'primary'],
      ['rejected', 'It did not accept it'],
    ],
    will: () => (
      <>
        <Written>{buyer}</Written> was sent the lead and never answered
      </>
    ),
    did: () => 'The answer is recorded',
    about:
      'Ask the buyer, then record its answer: accepted is a sale; not accepted frees its place, and the lead goes to the ' +
      'next buyer. This cannot be undone.',
  }),
};
