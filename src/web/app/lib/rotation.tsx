/** Rotating keys and secrets: how long the old one stays valid, and the new one, shown once. */
import { useState, type ReactNode } from 'react';
import { Button, Code, Dialog, Field, Time } from '../ui/index.js';

/** As the service has them; a page cannot import its schema. */
const USUAL_HOURS = 24;
/** A week. */
const HOURS_MAX = 168;

/** How long the replaced key or secret stays valid. */
export function OverlapField({ label }: { label: string }): ReactNode {
  return (
    <Field
      label={label}
      name="overlap_hours"
      type="number"
      inputMode="numeric"
      required
      min={0}
      max={HOURS_MAX}
      step={1}
      defaultValue={USUAL_HOURS}
      hint="0 ends it at once; a week at most."
    />
  );
}

/** The hours that a form with this field has. */
export const overlapOf = (values: FormData): number => Number(values.get('overlap_hours'));

/** A key or secret that was just made. */
export interface Made {
  secret: string;
  /** The end of the old one's validity; null: there is none, or it has ended. */
  previousUntil: string | null;
}

interface ShownOnceProps {
  title: string;
  what: 'key' | 'secret';
  /** Null: closed. */
  made: Made | null;
  onClose(): void;
}

/** A new key or secret: no page shows it again, so that closing without copying it is asked first. */
export function ShownOnce({ title, what, made, onClose }: ShownOnceProps): ReactNode {
  const { secret, previousUntil = null } = made ?? {};
  const [isLeaving, setIsLeaving] = useState(false);
  const close = (): void => {
    setIsLeaving(false);
    onClose();
  };
  return (
    <Dialog title={title} isOpen={made !== null} onClose={() => setIsLeaving(!isLeaving)}>
      <p>
        <strong>Copy it now: it is not shown again.</strong>
      </p>
      <Code label={`New ${what}`} text={secret} />
      {previousUntil !== null && (
        <p>
          The old {what} is valid until <Time at={previousUntil} />.
        </p>
      )}
      {isLeaving && <p role="alert">Close without copying it? Then a new {what} has to be made.</p>}
      <div className="actions">
        {isLeaving ? (
          <>
            <Button kind="primary" onClick={() => setIsLeaving(false)}>
              Keep it open
            </Button>
            <Button kind="danger" onClick={close}>
              Close without copying
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={close}>
            I have copied it
          </Button>
        )}
      </div>
    </Dialog>
  );
}
