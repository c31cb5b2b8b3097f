/** Deliveries of one buyer: the list, and one of them in full. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import type { RowOf } from '../../lib/useActions.js';
import { badgeOf, EmptyState, Money, Table, Time, Written, type Word } from '../../ui/index.js';
import { pathOf } from './words.js';

export type DeliveryRow = RowOf<'list_deliveries'>;

const STATE: Record<DeliveryRow['state'], Word> = {
  waiting: ['Waiting', 'info'],
  held: ['Held', 'warning'],
  unknown: ['Unanswered', 'bad'],
  sending: ['Sending', 'info'],
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'warning'],
  failed: ['Failed', 'bad'],
  abandoned: ['Abandoned', 'neutral'],
  expired: ['Expired', 'neutral'],
};
export const DeliveryState = badgeOf(STATE);

interface AttemptTableProps {
  buyerId: string;
  rows: readonly DeliveryRow[];
}

/** The newest first; each opens in full. */
export function AttemptTable({ buyerId, rows }: AttemptTableProps): ReactNode {
  const { number } = useFormats();
  return (
    <Table
      caption="Deliveries"
      rows={rows}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No deliveries">
          A delivery is listed here once a lead was sent to this buyer.
        </EmptyState>
      }
      columns={[
        {
          header: 'Opened',
          cell: ({ id, created_at }) => (
            <Link href={deliveryPath(buyerId, id)}>
              <Time at={created_at} isRelative />
            </Link>
          ),
        },
        { header: 'State', cell: ({ state }) => <DeliveryState of={state} /> },
        {
          header: 'Why',
          cell: ({ why, reason }) => {
            const text = why ?? reason;
            return text === null ? null : <Written>{text}</Written>;
          },
        },
        { header: 'HTTP', cell: ({ http_status }) => http_status, isNumber: true },
        {
          header: 'Took',
          cell: ({ latency_ms }) => (latency_ms === null ? null : `${number(latency_ms)} ms`),
          isNumber: true,
        },
        { header: 'Price', cell: ({ price }) => <Money amount={price} />, isNumber: true },
        {
          header: 'Campaign',
          cell: ({ campaign_name }) => <Written>{campaign_name ?? 'Deleted'}</Written>,
        },
        {
          header: 'Lead',
          cell: ({ lead_id }) => <Link href={`/leads/${lead_id}`}>…{lead_id.slice(-8)}</Link>,
        },
      ]}
    />
  );
}

/** The list with this delivery opened. */
const deliveryPath = (buyerId: string, deliveryId: string): string =>
  `${pathOf('buyer', buyerId, 'deliveries')}?delivery=${encodeURIComponent(deliveryId)}`;
