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
import { useBulk, wouldBeDone, type Bulk, type BulkRow, type BulkRun } from './useBulk.js';

export interface BulkWords {
  /** What is about to be done, as a question or a title: Resend deliveries. */
  title: string;
  /** The button: Resend. */
  act: string;
  /** Of a number of records: `38 will be sent now`. */
  will(count: string, isOne: boolean): string;
  /** `38 were sent again`. */
  did(count: string, isOne: boolean): string;
  /** After `2`, by the result of a row that was not done: `were never answered; resolve them instead`. */
  cannot: Readonly<Record<string, string>>;
  kind?: ButtonKind;
  /** What else it does. */
  about?: ReactNode;
  noteMax: number;
  noteHint: string;
}

interface BulkDialogProps<R extends BulkRow> {
  words: BulkWords;
  bulk: Bulk<R> & { error: Error | null };
  onClose(): void;
  /** After anything was done. */
  onDone(): void;
}

/** What a command on many records would do, the confirmation, its progress, and what it did. */
export const BulkDialog = <R extends BulkRow>(props: BulkDialogProps<R>): ReactNode => (
  <Dialog title={props.words.title} isOpen onClose={props.onClose}>
    <Steps {...props} />
  </Dialog>
);

function Steps<R extends BulkRow>({ words, bulk, onClose, onDone }: BulkDialogProps<R>): ReactNode {
  const of = useBulk(bulk);
  const toast = useToast();
  const count = useCount();
  const [note, setNote] = useState('');
  const go = async (typed: string): Promise<void> => {
    setNote(typed);
    await of.run(typed);
  };
  const wasDone = of.done.filter(wouldBeDone).length;
  const finish = (): void => {
    if (wasDone > 0) {
      toast(`${words.did(...count(wasDone))}.`);
      onDone();
    }
    onClose();
  };
  switch (of.stage) {
    case 'checking':
      return <Skeleton />;
    case 'asking':
      return <Ask words={words} of={of} onGo={go} onClose={onClose} />;
    case 'running':
      return (
        <div className="stack">
          <Running of={of} />
          <div className="actions">
            <Button onClick={of.stop}>Stop</Button>
          </div>
        </div>
      );
    case 'stopped':
    case 'done':
      return (
        <div className="stack">
          {bulk.error && of.stage === 'stopped' && <ErrorState error={bulk.error} />}
          {of.done.length > 0 && <Result words={words} of={of} />}
          {of.left.length > 0 && (
            <p role="status">
              {count(of.left.length)[0]} are left; nothing was changed about them.
            </p>
          )}
          <div className="actions">
            {of.left.length > 0 && (
              <Button kind="primary" onClick={() => void go(note)}>
                Continue with {count(of.left.length)[0]}
              </Button>
            )}
            {of.checked.length === 0 && <Button onClick={of.checkAgain}>Check again</Button>}
            <Button kind={of.left.length > 0 ? 'secondary' : 'primary'} onClick={finish}>
              {wasDone > 0 ? 'Done' : 'Close'}
            </Button>
          </div>
        </div>
      );
  }
}

interface StepProps<R extends BulkRow> {
  words: BulkWords;
  of: BulkRun<R>;
}

function Ask<R extends BulkRow>(
  props: StepProps<R> & { onGo(note: string): Promise<void>; onClose(): void },
): ReactNode {
  const { words, of, onGo, onClose } = props;
  const count = useCount();
  const others = of.checked.filter((row) => !wouldBeDone(row));
  if (of.left.length === 0)
    return (
      <div className="stack">
        <p className="bulk-head">Nothing can be done.</p>
        <Others words={words} rows={others} />
        {of.checked.length === 0 && <p>No record matches any longer.</p>}
        <div className="actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    );
  return (
    <div className="stack">
      <p className="bulk-head">{words.will(...count(of.left.length))}.</p>
      <Others words={words} rows={others} />
      {of.isCut && (
        <p>
          More match than can be handled at once: these are the first. Repeat the command for the
          rest.
        </p>
      )}
      {words.about}
      <Form onSubmit={(values) => onGo(formText(values, 'note'))}>
        <TextArea
          label="Note"
          name="note"
          rows={2}
          maxLength={words.noteMax}
          hint={words.noteHint}
        />
        <div className="actions">
          <Button type="submit" kind={words.kind ?? 'primary'}>
            {words.act} {count(of.left.length)[0]}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </div>
  );
}

function Running<R extends BulkRow>({ of }: { of: BulkRun<R> }): ReactNode {
  const total = of.done.length + of.left.length;
  const count = useCount();
  const text = `${count(of.done.length)[0]} of ${count(total)[0]}`;
  return (
    <div className="bulk-progress">
      <progress aria-label="Progress" max={total} value={of.done.length} />
      <p role="status" className="number">
        {text}
      </p>
    </div>
  );
}

function Result<R extends BulkRow>({ words, of }: StepProps<R>): ReactNode {
  const count = useCount();
  const done = of.done.filter(wouldBeDone).length;
  const others = of.done.filter((row) => !wouldBeDone(row));
  return (
    <>
      <p className="bulk-head" role="status">
        {words.did(...count(done))}.
      </p>
      <Others words={words} rows={others} />
      <ReportRows rows={others} />
    </>
  );
}

/** The records that are not changed, by the reason. */
function Others({ words, rows }: { words: BulkWords; rows: readonly BulkRow[] }): ReactNode {
  const count = useCount();
  if (rows.length === 0) return null;
  const groups = Object.entries(Object.groupBy(rows, ({ result }) => result));
  return (
    <ul className="bulk-others">
      {groups.map(([result, some = []]) => (
        <li key={result}>
          {count(some.length)[0]} {words.cannot[result] ?? some[0]?.message ?? 'cannot be changed'}
        </li>
      ))}
    </ul>
  );
}

/** A number as it is read, and whether it is one. */
function useCount(): (of: number) => [count: string, isOne: boolean] {
  const { number } = useFormats();
  return (of) => [number(of), of === 1];
}
