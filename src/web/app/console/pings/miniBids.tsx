import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import type { ListedPing } from './words.js';

/** Bids of a row at a glance: a bar for each, the best first. */
export function MiniBids({ bids }: Pick<ListedPing, 'bids'>): ReactNode {
  const { money } = useFormats();
  const most = Math.max(...bids.map(({ bid }) => bid), 0);
  const text = bids
    .map(({ buyer_name, bid }) => `${buyer_name ?? 'Deleted buyer'} ${money(bid)}`)
    .join(', ');
  return (
    <span className="mini-bids" title={text}>
      <svg width={bids.length * 8} height={20} aria-hidden>
        {bids.map(({ buyer_id, bid }, nth) => {
          const height = share(bid, most) / 5;
          return (
            <rect key={buyer_id} x={nth * 8} y={20 - height} width={6} height={height} rx={1} />
          );
        })}
      </svg>
      <span>
        {bids.length}
        <span className="hidden">: {text}</span>
      </span>
    </span>
  );
}

/** In percent of the longest, and never invisible. */
export const share = (value: number, most: number): number =>
  most === 0 ? 2 : Math.max(2, Math.round((value / most) * 100));
