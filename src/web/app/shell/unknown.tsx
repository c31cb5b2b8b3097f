import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EmptyState, Page } from '../ui/index.js';

/** Shown at an address without a screen. */
export function Unknown(): ReactNode {
  return (
    <Page title="Page not found">
      <EmptyState title="This page does not exist, or your role has no access to it.">
        <Link href="/">Go to the start page</Link>
      </EmptyState>
    </Page>
  );
}
