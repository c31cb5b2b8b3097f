/** Shows how a program gets what a screen shows: every screen's data is an action. */
import { SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ActionName } from '../lib/useActions.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Skeleton } from '../ui/states.js';

const Ways = lazy(() => import('./howWays.js'));

export interface HowMenuProps {
  action: ActionName;
  /** As the screen calls it; `undefined` values are left out. */
  input?: Readonly<Record<string, unknown>>;
}

export function HowMenu({ action, input }: HowMenuProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        <SquareTerminal size={16} aria-hidden />
        How
      </Button>
      <Dialog
        title="How to get this without the page"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
      >
        <Suspense fallback={<Skeleton lines={6} />}>
          <Ways action={action} input={input} />
        </Suspense>
      </Dialog>
    </>
  );
}
