import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useFormats } from '../../lib/format.js';
import type { OutputOf } from '../../lib/useActions.js';
import {
  Button,
  Dialog,
  ErrorState,
  Form,
  Skeleton,
  TextArea,
  useToast,
  Written,
} from '../../ui/index.js';
import { useStep } from '../bulk/useStep.js';
import { ACT_WORDS } from '../bulk/deliveryWords.js';
import type { QueueHead } from './words.js';

/** A command on whole queues. */
export interface WholeCommand {
  act: 'retry' | 'hold' | 'drop';
  heads: readonly Pick<QueueHead, 'id' | 'name'>[];
}

interface QueueDialogProps {
  command: WholeCommand;
  onClose(): void;
  onDone(): void;
}

type Counts = Pick<OutputOf<'retry_deliveries'>, 'rows' | 'unknown' | 'busy'>;
const NONE: Counts = { rows: 0, unknown: 0, busy: 0 };

/** A command on all that waits for some buyers: counted first, then carried out buyer by buyer. */
export const QueueDialog = (props: QueueDialogProps): ReactNode => (
  <Dialog title={titleOf(props.command)} isOpen onClose={props.onClose}>
    <Steps {...props} />
  </Dialog>
);

const titleOf = ({ act, heads }: WholeCommand): string => {
  const [only] = heads;
  const whose = heads.length === 1 && only ? only.name : `${heads.length} buyers`;
  return `${ACT_WORDS[act].whole}: ${whose}`;
};

function Steps({ command: { act, heads }, onClose, onDone }: QueueDialogProps): ReactNode {
  const write = {
    retry: useStep('retry_deliveries'),
    hold: useStep('hold_deliveries'),
    drop: useStep('drop_deliveries'),
  }[act];
  const words = ACT_WORDS[act];
  const toast = useToast();
  const { number } = useFormats();
  const [expected, setExpected] = useState<Counts | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  /** Buyers whose queue is done: after an error the others are left. */
  const [done, setDone] = useState<readonly string[]>([]);
  const [changed, setChanged] = useState(0);

  const count = async (): Promise<void> => {
    let sum = NONE;
    for (const { id: buyer_id } of heads) {
      const counted = await write.run({ buyer_id, dry_run: true });
      if (!counted) return;
      sum = added(sum, counted);
    }
    setExpected(sum);
  };
  const onOpen = useEffectEvent(() => void count());
  useEffect(() => onOpen(), []);

  const carryOut = async (values: FormData): Promise<void> => {
    const note = formText(values, 'note') || undefined;
    let sum = changed;
    setIsRunning(true);
    for (const { id: buyer_id } of heads.filter(({ id }) => !done.includes(id))) {
      const answer = await write.run({ buyer_id, note });
      if (!answer) {
        setIsRunning(false);
        return;
      }
      sum += answer.rows;
      setChanged(sum);
      setDone((before) => [...before, buyer_id]);
    }
    toast(`${words.did(number(sum), sum === 1)}.`);
    onDone();
    onClose();
  };
  if (!expected)
    return write.error ? (
      <ErrorState error={write.error} retry={() => void count()} />
    ) : (
      <Skeleton />
    );
  const isNothing = expected.rows === 0 && act === 'drop';
  return (
    <div className="stack">
      <p className="bulk-head">
        {isNothing ? (
          'Nothing waits here.'
        ) : (
          <>{words.will(number(expected.rows), expected.rows === 1)}.</>
        )}
      </p>
      <ul className="bulk-others">
        {act !== 'drop' && expected.unknown > 0 && (
          <li>
            {number(expected.unknown)} never answered, and not sent again: the buyer may have the
            lead. Decide them under Unanswered.
          </li>
        )}
        {act === 'hold' && <li>Leads that arrive later wait too, until you resend the queue.</li>}
        {heads.length > 1 &&
          heads.map(({ id, name }) => (
            <li key={id}>
              <Written>{name}</Written>
              {done.includes(id) ? ': done' : ''}
            </li>
          ))}
      </ul>
      <p>{words.about}</p>
      <Form error={write.error} onSubmit={carryOut}>
        <TextArea
          label="Note"
          name="note"
          rows={2}
          maxLength={words.note?.max}
          hint={words.note?.hint}
        />
        <div className="actions">
          <Button
            type="submit"
            kind={words.kind ?? 'primary'}
            isBusy={isRunning}
            disabled={isNothing}
          >
            {done.length > 0 ? 'Continue' : `${words.act} ${number(expected.rows)}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </div>
  );
}

const added = (a: Counts, b: Counts): Counts => ({
  rows: a.rows + b.rows,
  unknown: a.unknown + b.unknown,
  busy: a.busy + b.busy,
});
