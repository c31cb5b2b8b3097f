import type { ReactNode } from 'react';
import { Facts, Time, Written } from '../../ui/index.js';
import type { SaleReturn } from '../types.js';
import { reasonName, ReturnStatus } from '../words.js';

/** One request to return a lead, and its result. */
export function ReturnCard({ of }: { of: SaleReturn }): ReactNode {
  return (
    <article className="card">
      <Facts
        facts={[
          ['State', <ReturnStatus key="state" of={of.state} />],
          ['Reason', reasonName(of.reason)],
          ['Requested', <Time key="requested" at={of.requested_at} />],
          ...(of.note === null ? [] : [['Note', <Written key="note">{of.note}</Written>] as const]),
          ...(of.state === 'requested' && of.auto_accept_at !== null
            ? [['Accepted automatically', <Time key="auto" at={of.auto_accept_at} />] as const]
            : []),
          ...(of.resolved_at === null
            ? []
            : [['Decided', <Time key="decided" at={of.resolved_at} />] as const]),
          ...(of.resolution_note === null
            ? []
            : [['The seller says', <Written key="says">{of.resolution_note}</Written>] as const]),
        ]}
      />
    </article>
  );
}
