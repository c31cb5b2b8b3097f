import type { ReactNode } from 'react';
import { Button } from '../button.js';
import './bulkBar.css';

interface BulkBarProps {
  count: number;
  /** The acts on what is selected. */
  children: ReactNode;
  onClear(): void;
}

/** What can be done with the rows that are selected; nothing while none is. */
export function BulkBar({ count, children, onClear }: BulkBarProps): ReactNode {
  if (count === 0) return null;
  return (
    <div className="bulk-bar" role="region" aria-label="Selected rows">
      <span role="status">{count.toLocaleString('en-US')} selected</span>
      <div className="bulk-acts">{children}</div>
      <Button kind="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
