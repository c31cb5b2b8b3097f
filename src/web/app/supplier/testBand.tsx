import './supplier.css';
import type { ReactNode } from 'react';

/** Across the page where what is shown is a test: nobody takes it for business. */
export function TestBand({ children }: { children?: ReactNode }): ReactNode {
  return (
    <p className="test-band" role="note">
      <strong>TEST</strong>{' '}
      {children ?? 'Costs nothing, counts toward no cap, and goes only to buyers in test mode.'}
    </p>
  );
}
