import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, type RowOf } from '../../lib/useActions.js';
import { Chip } from '../../ui/index.js';
import type { LinkColumn } from './columns.js';
import type { Side } from './draft.js';

/** Buyers that do not do well, by id; all others do. */
export type Troubled = ReadonlyMap<string, RowOf<'list_buyer_health'>>;

const INPUT = { waiting: true, figures: false, limit: 500 };

/** @returns null where it is not known: of suppliers, or for a role that does not see it */
export function useHealth(side: Side): Troubled | null {
  const isOff = !useCan('list_buyer_health') || side !== 'buyer';
  const { data } = useCall('list_buyer_health', INPUT, { refreshSeconds: 30, isOff });
  return data ? new Map(data.map((one) => [one.id, one])) : null;
}

export const healthColumn = (troubled: Troubled): LinkColumn => ({
  id: 'health',
  header: 'Health',
  about: 'The endpoint of the buyer, and the deliveries that wait for it',
  value: () => null,
  show: (_, row) => <Health of={troubled.get(row.id)} id={row.id} />,
  sortValue: ({ id }) => -rank(troubled.get(id)),
});

const rank = (of: RowOf<'list_buyer_health'> | undefined): number => {
  if (!of) return 0;
  return of.breaker === 'closed' ? 1 : 2;
};

function Health({ of, id }: { of: RowOf<'list_buyer_health'> | undefined; id: string }): ReactNode {
  if (!of) return <Chip tone="good">Healthy</Chip>;
  const waiting = of.waiting + of.unknown;
  return (
    <Link href={waiting > 0 ? `/queues?buyer_id=${id}` : `/buyers/${id}`}>
      {of.breaker === 'closed' ? (
        <Chip tone="warning">{waiting} waiting</Chip>
      ) : (
        <Chip tone="bad">Failing{waiting > 0 ? `, ${waiting} waiting` : ''}</Chip>
      )}
    </Link>
  );
}
