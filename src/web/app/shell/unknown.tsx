import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EmptyState, Page } from '../ui/index.js';

/** Shown at an address without a screen. */
export function Unknown(): ReactNode {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no screen at this address, or your role does not open it.">
        <Link href="/">To the first screen</Link>
      </EmptyState>
    </Page>
  );
}
