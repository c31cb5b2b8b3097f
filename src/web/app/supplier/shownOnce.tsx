/** A key or secret that is shown this once. */
import type { ReactNode } from 'react';
import { Button, Code, Dialog, Time } from '../ui/index.js';

interface ShownOnceProps {
  title: string;
  what: 'key' | 'secret';
  /** Null: closed. */
  secret: string | null;
  /** The end of the old one's validity; null: there is none, or it has ended. */
  previousUntil: string | null;
  onClose(): void;
}

export function ShownOnce({
  title,
  what,
  secret,
  previousUntil,
  onClose,
}: ShownOnceProps): ReactNode {
  return (
    <Dialog title={title} isOpen={secret !== null} onClose={onClose}>
      <p>
        <strong>Copy it now: it is not shown again.</strong>
      </p>
      <Code label={`New ${what}`} text={secret ?? ''} />
      {previousUntil !== null && (
        <p>
          The old {what} is valid until <Time at={previousUntil} />.
        </p>
      )}
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
