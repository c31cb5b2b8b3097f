import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Write } from '../lib/useCalls.js';
import { Button, IconButton, type ButtonKind } from './button.js';
import { Form } from './form.js';
import { ErrorState } from './states.js';
import { useToast } from './toast.js';

interface DialogProps {
  title: string;
  isOpen: boolean;
  /** By Escape or the button. */
  onClose(): void;
  children: ReactNode;
}

/** A field in which a dialog with a form begins. */
const FIELD = 'form :is(input:not([type="hidden"]), select, textarea)';

/** A window over the page, which keeps the focus until it is closed, and then returns it. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    element.showModal();
    // The button that closes it comes first, and would have the focus.
    element.querySelector<HTMLElement>(FIELD)?.focus();
    // Also before it is removed: the focus is returned by closing alone.
    return () => element.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {isOpen && (
        <>
          <header className="dialog-head">
            <h2 id={id} tabIndex={-1}>
              {title}
            </h2>
            <IconButton icon={X} label="Close" onClick={onClose} />
          </header>
          {children}
        </>
      )}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  /** The act by its name: Remove, Revoke. */
  act: string;
  isDanger?: boolean;
  /** The call of the act: its refusal is shown here, and forgotten when the dialog is closed. */
  write?: Pick<Write<never, unknown>, 'error' | 'isRunning' | 'reset'>;
  onConfirm(): unknown;
}

/** Confirms before an act; the children say what will happen. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { title, isOpen, children, act, isDanger = false, write, onConfirm } = props;
  const onClose = closing(props.onClose, write);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      {write?.error && <ErrorState error={write.error} />}
      <div className="actions">
        <Button
          kind={isDanger ? 'danger' : 'primary'}
          isBusy={write?.isRunning}
          onClick={() => void onConfirm()}
        >
          {act}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

const closing = (onClose: () => void, write?: Pick<Write<never, unknown>, 'reset'>) => (): void => {
  write?.reset();
  onClose();
};

/** A button that opens a dialog. */
interface Opener {
  /** The text of the button. */
  button: ReactNode;
  /** For people who do not see the button's row; default: its text. */
  label?: string;
  kind?: ButtonKind;
  title: string;
  children: ReactNode;
}

interface ConfirmedProps<O> extends Opener, Pick<ConfirmProps, 'act' | 'isDanger' | 'write'> {
  /** Resolves with null when it was refused. */
  run(): Promise<O | null>;
  /** The message when it is done. */
  describe(done: O): string;
}

/** A button whose act is confirmed first. */
export function Confirmed<O>(props: ConfirmedProps<O>): ReactNode {
  const { button, label, kind, run, describe, ...dialog } = props;
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    const done = await run();
    if (done === null) return;
    setIsAsking(false);
    toast(describe(done));
  };
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setIsAsking(true)}>
        {button}
      </Button>
      <Confirm
        {...dialog}
        isOpen={isAsking}
        onConfirm={confirm}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

interface FormButtonProps<O> extends Opener {
  write: Pick<Write<never, unknown>, 'error' | 'isRunning' | 'reset'>;
  submit: string;
  /** Resolves with null when it was refused: the form shows why. */
  run(values: FormData): Promise<O | null>;
  onDone(done: O): void;
}

/** A button that opens a form in a dialog; the refusal of its call is forgotten when the dialog is closed. */
export function FormButton<O>(props: FormButtonProps<O>): ReactNode {
  const { button, label, kind, title, write, submit, run, onDone, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const send = async (values: FormData): Promise<void> => {
    const done = await run(values);
    if (done === null) return;
    setIsOpen(false);
    onDone(done);
  };
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setIsOpen(true)}>
        {button}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={closing(() => setIsOpen(false), write)}>
        <Form write={write} submit={submit} onSubmit={send}>
          {children}
        </Form>
      </Dialog>
    </>
  );
}

interface ConfirmedFormProps<I> extends Pick<ConfirmProps, 'title' | 'act' | 'children'> {
  submit: string;
  /** The input of the call. @throws {ApiError} its fault, which the form shows */
  read(values: FormData): I;
  write: Write<never, unknown>;
  /** Resolves with null when it was refused: the form shows why. */
  run(input: I): Promise<unknown>;
  /** What the dialog says will happen. */
  summary(input: I): ReactNode;
  onDone(): void;
}

/** A form whose input is shown and confirmed before it is sent. */
export function ConfirmedForm<I>(props: ConfirmedFormProps<I>): ReactNode {
  const { title, act, submit, read, write, run, summary, onDone, children } = props;
  const [input, setInput] = useState<I | null>(null);
  const ask = (values: FormData): void => {
    write.reset();
    setInput(read(values));
  };
  const confirm = async (): Promise<void> => {
    if (input === null) return;
    const done = await run(input);
    setInput(null);
    if (done !== null) onDone();
  };
  return (
    <>
      <Form onSubmit={ask} write={write} submit={submit}>
        {children}
      </Form>
      <Confirm
        title={title}
        act={act}
        isOpen={input !== null}
        write={write}
        onConfirm={confirm}
        onClose={() => setInput(null)}
      >
        {input !== null && summary(input)}
      </Confirm>
    </>
  );
}
