import './supplier.css';
import type { ReactNode } from 'react';

/** A band across the page, so that a test is not mistaken for business. */
export function TestBand({ children }: { children?: ReactNode }): ReactNode {
  return (
    <p className="test-band" role="note">
      <strong>TEST</strong>{' '}
      {children ?? 'Costs nothing, counts toward no cap, and goes only to buyers in test mode.'}
    </p>
  );
}
