import type { ReactNode } from 'react';
import { Facts, Time, Written } from '../../ui/index.js';
import type { SaleReturn } from '../types.js';
import { reasonName, ReturnStatus } from '../words.js';

/** One request to return a lead, and its result. */
export function ReturnCard({ of }: { of: SaleReturn }): ReactNode {
  const { resolution_note: says } = of;
  return (
    <article className="card">
      <Facts
        facts={[
          ['State', <ReturnStatus of={of.state} />],
          ['Reason', reasonName(of.reason)],
          ['Requested', <Time at={of.requested_at} />],
          ['Note', of.note !== null && <Written>{of.note}</Written>],
          [
            'Accepted automatically',
            of.state === 'requested' && of.auto_accept_at && <Time at={of.auto_accept_at} />,
          ],
          ['Decided', of.resolved_at && <Time at={of.resolved_at} />],
          ["Seller's note", says !== null && <Written>{says}</Written>],
        ]}
      />
    </article>
  );
}
