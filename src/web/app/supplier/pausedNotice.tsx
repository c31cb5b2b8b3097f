/** A notice at the top of a page that posts are refused now, or that all of them are tests. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall } from './calls.js';

export function PausedNotice(): ReactNode {
  const { data } = useCall('list_campaigns', {});
  if (!data) return null;
  const { supplier } = data;
  const isPaused = supplier.status === 'paused';
  if (!isPaused && !supplier.test_mode) return null;
  return (
    <div className="notice" role="note">
      {isPaused && (
        <p>
          <strong>All posts are refused: you are paused.</strong>{' '}
          {supplier.can_resume ? (
            <Link href="/campaigns">Resume under Campaigns.</Link>
          ) : (
            'Only the operator can resume.'
          )}
        </p>
      )}
      {supplier.test_mode && (
        <p>
          <strong>Test mode: every post is a test.</strong> Nothing is sold until the operator turns
          it off.
        </p>
      )}
    </div>
  );
}
