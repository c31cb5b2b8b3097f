import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from './button.js';

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
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (isOpen && !element.open) {
      element.showModal();
      // The button that closes it comes first, and would have the focus.
      element.querySelector<HTMLElement>(FIELD)?.focus();
    }
    if (!isOpen && element.open) element.close();
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
            <Button kind="quiet" aria-label="Close" onClick={onClose}>
              ✕
            </Button>
          </header>
          {children}
        </>
      )}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  isOpen: boolean;
  /** What will happen. */
  children: ReactNode;
  /** The act by its name: Remove, Revoke. */
  act: string;
  isDanger?: boolean;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Confirms before an act. */
export function Confirm(props: ConfirmProps): ReactNode {
  const {
    title,
    isOpen,
    children,
    act,
    isDanger = false,
    isBusy = false,
    onConfirm,
    onClose,
  } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      <div className="actions">
        <Button kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
          {act}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
