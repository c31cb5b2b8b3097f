import type { ReactNode } from 'react';
import { Button, Code, Dialog } from '../ui/index.js';

/** A link for a person that no mail takes there. */
export interface Handed {
  email: string;
  url: string;
  /** again: an invitation in the place of an earlier one. */
  kind: 'invitation' | 'again' | 'password';
}

const TEXTS = {
  invitation: { title: 'Hand over the invitation', label: 'Invitation', valid: '7 days' },
  again: {
    title: 'Hand over the invitation',
    label: 'Invitation',
    valid: '7 days, and replaces the earlier one',
  },
  password: { title: 'Hand over the link', label: 'Link for a new password', valid: '30 minutes' },
};

/** The link, shown this once. */
export function HandOver({ of, onClose }: { of: Handed | null; onClose(): void }): ReactNode {
  const { title, label, valid } = TEXTS[of?.kind ?? 'invitation'];
  return (
    <Dialog title={title} isOpen={of !== null} onClose={onClose}>
      <p>
        Send this link to <bdi>{of?.email}</bdi>. It works once, within {valid}. It is not shown
        again.
      </p>
      <Code label={label} text={of?.url} />
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
