import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, Dialog, Notice } from '../../ui/index.js';

interface ShownKeyProps {
  /** Null: closed. */
  apiKey: string | null;
  onClose(): void;
  children?: ReactNode;
}

type Copying = 'not_yet' | 'copied' | 'failed';

/** A new key, shown this once: Copy has the focus, and leaving without copying is asked for. */
export function ShownKey({ apiKey, onClose, children }: ShownKeyProps): ReactNode {
  const [copying, setCopying] = useState<Copying>('not_yet');
  const [isAsking, setIsAsking] = useState(false);
  const leave = (): void => {
    setCopying('not_yet');
    setIsAsking(false);
    onClose();
  };
  const ask = (): void => {
    if (copying === 'copied') leave();
    else setIsAsking(true);
  };
  return (
    <Dialog title="The new key" isOpen={apiKey !== null} onClose={ask}>
      <p>
        <strong>Copy it now: it is not shown again.</strong>
      </p>
      <pre className="admin-key" tabIndex={0} role="region" aria-label="New key" dir="ltr">
        <code>{apiKey}</code>
      </pre>
      <p role="status" className="muted">
        {copying === 'copied' && 'Copied.'}
        {copying === 'failed' && 'Select the key and copy it by hand.'}
      </p>
      {children}
      {isAsking && (
        <div role="alert">
          <Notice tone="warning" title="Close without copying it?">
            <p>The key cannot be shown again. You would have to create another one.</p>
          </Notice>
        </div>
      )}
      <div className="actions">
        <CopyButton text={apiKey ?? ''} state={copying} onCopying={setCopying} />
        <Button onClick={leave}>{isAsking ? 'Close without copying' : 'I have copied it'}</Button>
      </div>
    </Dialog>
  );
}

interface CopyButtonProps {
  text: string;
  state: Copying;
  onCopying(state: Copying): void;
}

function CopyButton({ text, state, onCopying }: CopyButtonProps): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Once the dialog is open, which focuses its first control.
    const frame = requestAnimationFrame(() => place.current?.querySelector('button')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => onCopying('copied'),
      () => onCopying('failed'),
    );
  };
  const Icon = state === 'copied' ? Check : CopyIcon;
  return (
    <span ref={place}>
      <Button kind="primary" onClick={copy}>
        <Icon size={16} aria-hidden /> Copy the key
      </Button>
    </span>
  );
}
