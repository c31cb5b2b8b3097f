import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useFormats } from '../../lib/format.js';
import {
  Button,
  Dialog,
  ErrorState,
  Form,
  Skeleton,
  TextArea,
  useToast,
  type ButtonKind,
} from '../../ui/index.js';
import './bulk.css';
import { ReportRows } from './reportRows.js';
import {
  useBulk,
  wouldBeDone,
  type Bulk,
  type BulkOrder,
  type BulkRow,
  type BulkRun,
} from './useBulk.js';

export interface BulkWords {
  /** What is about to be done, as a question or a title: Resend deliveries. */
  title: string;
  /** The button: Resend. */
  act: string;
  kind?: ButtonKind;
  /** Instead of that button: several ways to carry it out. */
  acts?: readonly (readonly [value: string, text: string, kind?: ButtonKind])[];
  /** The record is one that the page shows: it is not counted, and the dialog closes when it is done. */
  isSingle?: boolean;
  /** Of a number of records: `38 will be sent now`. */
  will(count: string, isOne: boolean): ReactNode;
  /** `38 were sent again`. */
  did(count: string, isOne: boolean): string;
  /** After `2`, by the result of a row that was not done: `were never answered; resolve them instead`. */
  cannot: Readonly<Record<string, string>>;
  /** What else it does. */
  about?: ReactNode;
  /** A note that can be given. */
  note?: { max: number; hint: string };
}

interface BulkDialogProps<R extends BulkRow> {
  words: BulkWords;
  bulk: Bulk<R>;
  onClose(): void;
  /** After anything was done. */
  onDone(): void;
}

/** What a command on records would do, the confirmation, its progress, and what it did. */
export function BulkDialog<R extends BulkRow>(props: BulkDialogProps<R>): ReactNode {
  const { words, bulk, onClose, onDone } = props;
  const of = useBulk(bulk);
  const toast = useToast();
  const count = useCount();
  const [order, setOrder] = useState<BulkOrder>({ note: '', act: '' });
  const finish = (rows: readonly R[]): void => {
    const wasDone = rows.filter(wouldBeDone).length;
    if (wasDone > 0) {
      toast(`${words.did(...count(wasDone))}.`);
      onDone();
    }
    onClose();
  };
  const go = async (typed: BulkOrder): Promise<void> => {
    setOrder(typed);
    const done = await of.run(typed);
    if (words.isSingle && done?.every(wouldBeDone)) finish(done);
  };
  const close = (): void => (of.stage === 'running' ? of.stop() : finish(of.done));
  return (
    <Dialog title={words.title} isOpen onClose={close}>
      <Stage words={words} of={of} error={bulk.error} order={order} onGo={go} onClose={close} />
    </Dialog>
  );
}

interface StepProps<R extends BulkRow> {
  words: BulkWords;
  of: BulkRun<R>;
  onGo(order: BulkOrder): Promise<void>;
  onClose(): void;
}

interface StageProps<R extends BulkRow> extends StepProps<R> {
  error: Error | null;
  /** What was asked for at first. */
  order: BulkOrder;
}

function Stage<R extends BulkRow>({ error, order, ...step }: StageProps<R>): ReactNode {
  const { of, words } = step;
  switch (of.stage) {
    case 'checking':
      return <Skeleton />;
    case 'asking':
      return of.left.length > 0 ? <Ask {...step} /> : <Nothing {...step} />;
    case 'running':
      return words.isSingle ? <Skeleton /> : <Running of={of} />;
    case 'stopped':
    case 'done':
      return (
        <div className="stack">
          {error && of.stage === 'stopped' && <ErrorState error={error} />}
          {of.done.length > 0 && <Result words={words} of={of} />}
          <Left {...step} order={order} />
        </div>
      );
  }
}

function Ask<R extends BulkRow>({ words, of, onGo, onClose }: StepProps<R>): ReactNode {
  const count = useCount();
  const [number, isOne] = count(of.left.length);
  const { acts = [['', words.act, words.kind ?? 'primary']], note, isSingle } = words;
  return (
    <div className="stack">
      <p className="bulk-head">{words.will(number, isOne)}.</p>
      <Others words={words} rows={of.checked} />
      {of.isCut && (
        <p>
          More match than can be handled at once: these are the first. Repeat the command for the
          rest.
        </p>
      )}
      {words.about !== undefined && <p>{words.about}</p>}
      <Form
        onSubmit={(values) =>
          onGo({ note: formText(values, 'note'), act: formText(values, 'act') })
        }
        acts={acts.map(([value, text, kind]) => [
          value,
          isSingle ? text : `${text} ${number}`,
          kind,
        ])}
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        {note && (
          <TextArea label="Note" name="note" rows={2} maxLength={note.max} hint={note.hint} />
        )}
      </Form>
    </div>
  );
}

function Nothing<R extends BulkRow>({ words, of, onClose }: StepProps<R>): ReactNode {
  return (
    <div className="stack">
      <p className="bulk-head">Nothing can be done.</p>
      <Others words={words} rows={of.checked} />
      {of.checked.length === 0 && <p>No record matches any longer.</p>}
      <div className="actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}

function Running<R extends BulkRow>({ of }: { of: BulkRun<R> }): ReactNode {
  const total = of.done.length + of.left.length;
  const count = useCount();
  const text = `${count(of.done.length)[0]} of ${count(total)[0]}`;
  return (
    <div className="stack">
      <div className="bulk-progress">
        <progress aria-label="Progress" max={total} value={of.done.length} />
        <p role="status" className="number">
          {text}
        </p>
      </div>
      <div className="actions">
        <Button onClick={of.stop}>Stop</Button>
      </div>
    </div>
  );
}

function Result<R extends BulkRow>({ words, of }: Pick<StepProps<R>, 'words' | 'of'>): ReactNode {
  const count = useCount();
  const done = of.done.filter(wouldBeDone).length;
  return (
    <>
      {!words.isSingle && (
        <p className="bulk-head" role="status">
          {words.did(...count(done))}.
        </p>
      )}
      <Others words={words} rows={of.done} />
    </>
  );
}

/** What the command has not come to, and how to go on. */
function Left<R extends BulkRow>(props: StepProps<R> & { order: BulkOrder }): ReactNode {
  const { words, of, order, onGo, onClose } = props;
  const [left] = useCount()(of.left.length);
  const isLeft = of.left.length > 0;
  return (
    <>
      {isLeft && !words.isSingle && (
        <p role="status">{left} are left; nothing was changed about them.</p>
      )}
      <div className="actions">
        {isLeft && (
          <Button kind="primary" onClick={() => void onGo(order)}>
            {words.isSingle ? 'Try again' : `Continue with ${left}`}
          </Button>
        )}
        {of.checked.length === 0 && <Button onClick={of.checkAgain}>Check again</Button>}
        <Button kind={isLeft ? 'secondary' : 'primary'} onClick={onClose}>
          {of.done.some(wouldBeDone) ? 'Done' : 'Close'}
        </Button>
      </div>
    </>
  );
}

/** The records that are not changed: how many for each reason, and each by itself. */
function Others({ words, rows }: { words: BulkWords; rows: readonly BulkRow[] }): ReactNode {
  const count = useCount();
  const others = rows.filter((row) => !wouldBeDone(row));
  const [first] = others;
  if (!first) return null;
  if (words.isSingle) return <p className="fault">{first.message ?? words.cannot[first.result]}</p>;
  const groups = Object.entries(Object.groupBy(others, ({ result }) => result));
  return (
    <>
      <ul className="bulk-others">
        {groups.map(([result, some = []]) => (
          <li key={result}>
            {count(some.length)[0]}{' '}
            {words.cannot[result] ?? some[0]?.message ?? 'cannot be changed'}
          </li>
        ))}
      </ul>
      <ReportRows rows={others} />
    </>
  );
}

/** A number as it is read, and whether it is one. */
function useCount(): (of: number) => [count: string, isOne: boolean] {
  const { number } = useFormats();
  return (of) => [number(of), of === 1];
}
