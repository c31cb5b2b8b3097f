import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useWrite, type OutputOf } from '../../lib/useActions.js';
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  Form,
  Skeleton,
  useToast,
  type ButtonKind,
} from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';

export type Command = 'retry' | 'hold' | 'drop' | 'resolve';

const ACTIONS = {
  retry: 'retry_deliveries',
  hold: 'hold_deliveries',
  drop: 'drop_deliveries',
  resolve: 'resolve_deliveries',
} as const;

/** What the dialog says will happen. */
const SAYS: Record<Command, (buyer: string) => string> = {
  retry: (buyer) =>
    `The lead is sent to ${buyer} now. A hold, and a cooldown of the buyer, end. If an earlier request did arrive, it ` +
    'carries the same idempotency key.',
  hold: (buyer) => `The lead is sent to ${buyer} only after a retry. Its time limit keeps running.`,
  drop: (buyer) => `The delivery to ${buyer} ends without a sale. This cannot be undone.`,
  resolve: (buyer) =>
    `${buyer} was sent the lead and never answered. Ask the buyer, then record its answer: accepted is a sale; not accepted ` +
    'frees its place, and the lead goes to the next buyer. This cannot be undone.',
};

const TEXTS: Record<Command, string> = {
  retry: 'Send now',
  hold: 'Hold',
  drop: 'Drop',
  resolve: 'Record the answer',
};

interface CommandProps {
  command: Command;
  delivery: { id: string; buyer_name: string | null };
  /** Default: the name of the command. */
  text?: string;
  kind?: ButtonKind;
}

type Done = OutputOf<'retry_deliveries'>;

/** A command on one delivery: its dry run first says whether it would do anything. */
export function CommandButton({ command, delivery, text, kind }: CommandProps): ReactNode {
  const may = useCan(ACTIONS[command]);
  const trial = useWrite(ACTIONS[command]);
  const write = useWrite(ACTIONS[command]);
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const [tried, setTried] = useState<Done | null>(null);
  if (!may) return null;
  const title = text ?? TEXTS[command];
  const buyer = delivery.buyer_name ?? 'the buyer';
  const input = { delivery_ids: [delivery.id], ...(command === 'resolve' ? ACCEPTED : {}) };
  const open = async (): Promise<void> => {
    setIsAsking(true);
    setTried(null);
    write.reset();
    setTried(await trial.run({ ...input, dry_run: true }));
  };
  const send = async (values: FormData): Promise<void> => {
    const note = formText(values, 'note') || undefined;
    const result = formText(values, 'act');
    const asked = command === 'resolve' ? { ...input, result, note } : { ...input, note };
    const done = await write.run(asked);
    if (done === null) return;
    setIsAsking(false);
    const refusal = refusalOf(done);
    toast(refusal ?? DONE[command](result), refusal === null ? {} : { tone: 'bad' });
  };
  const refusal = tried && refusalOf(tried);
  return (
    <>
      <Button kind={kind} onClick={() => void open()}>
        {title}
      </Button>
      <Dialog title={title} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        <p>
          <bdi>{SAYS[command](buyer)}</bdi>
        </p>
        {trial.error && <ErrorState error={trial.error} />}
        {tried === null && !trial.error && <Skeleton lines={2} />}
        {refusal !== null && <p className="fault">{refusal}</p>}
        {tried !== null && refusal === null && (
          <Form onSubmit={send} write={write} acts={actsOf(command)}>
            <Field label="Note" name="note" maxLength={200} hint="Recorded on the lead" />
          </Form>
        )}
      </Dialog>
    </>
  );
}

const ACCEPTED = { result: 'accepted' } as const;

const actsOf = (command: Command): readonly (readonly [string, string, ButtonKind?])[] =>
  command === 'resolve'
    ? [
        ['accepted', 'It accepted the lead', 'primary'],
        ['rejected', 'It did not accept it'],
      ]
    : [[command, TEXTS[command], command === 'drop' ? 'danger' : 'primary']];

const DONE: Record<Command, (result: string) => string> = {
  retry: () => 'It is being sent.',
  hold: () => 'It is on hold.',
  drop: () => 'The delivery has ended.',
  resolve: (result) =>
    result === 'accepted' ? 'Recorded: the lead is sold.' : 'Recorded: the lead goes on.',
};

/** Why the command would change nothing, or did not; null when it does. */
function refusalOf({ report = [] }: Done): string | null {
  const [row] = report;
  if (!row || ['done', 'would_be_done', 'already_done', 'continues'].includes(row.result))
    return null;
  return row.message ?? WHY.get(row.result) ?? 'This cannot be done now.';
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['not_waiting', 'It no longer waits.'],
  ['being_sent', 'It is being sent at this moment.'],
  ['busy', 'It is being processed at this moment. Try again in a few seconds.'],
  ['unknown_delivery', 'It is unknown whether the buyer has it: record its answer instead.'],
  ['already_resolved', 'Its answer has been recorded.'],
]);
