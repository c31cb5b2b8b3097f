/** What is used of the caps and budgets of a buyer or supplier. */
import type { ReactNode } from 'react';
import { useCall, type RowOf } from '../../lib/useActions.js';
import { Meter } from '../../ui/index.js';
import type { PartyInput } from './types.js';

export type CapRow = RowOf<'get_cap_usage'>;

/** Those of one buyer or supplier: a link has nine at most. */
export const useCaps = (party: PartyInput) =>
  useCall('get_cap_usage', { limit: 200, ...party }, { refreshSeconds: 60 });

const SPAN: Record<CapRow['window'], string> = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  total: 'Total',
};

/** `Daily cap`, `Monthly budget`. */
export const capName = ({ window, of }: CapRow): string =>
  `${SPAN[window]} ${of === 'budget' ? 'budget' : 'cap'}`;

export function CapMeters({ caps }: { caps: readonly CapRow[] }): ReactNode {
  if (caps.length === 0) return <span className="muted">No caps</span>;
  return (
    <div className="cap-meters">
      {caps.map((cap) => (
        <Meter
          key={capName(cap)}
          label={capName(cap)}
          used={cap.used}
          limit={cap.limit}
          resetsAt={cap.resets_at}
          isMoney={cap.of === 'budget'}
        />
      ))}
    </div>
  );
}
