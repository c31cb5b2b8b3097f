import type { ReactNode } from 'react';
import { Chip, Money, Time } from '../../ui/index.js';
import type { DataColumn } from '../../ui/data/index.js';
import { LeadName, Name } from '../names.js';
import { DELIVERY_WORDS, type Delivery } from './words.js';

export const DELIVERY_COLUMNS: readonly DataColumn<Delivery>[] = [
  { id: 'lead', header: 'Lead', isPinned: true, cell: (row) => <LeadName {...row} /> },
  { id: 'buyer', header: 'Buyer', cell: ({ buyer_name }) => <Name of={buyer_name} /> },
  { id: 'state', header: 'State', cell: ({ state }) => <DeliveryState state={state} /> },
  {
    id: 'why',
    header: 'Why it waits',
    cell: ({ why }) => (
      <span className="queue-why" title={why ?? undefined}>
        {why}
      </span>
    ),
  },
  {
    id: 'next',
    header: 'Next try',
    cell: ({ next_try_at, waits_until }) => <Time at={next_try_at ?? waits_until} isRelative />,
  },
  {
    id: 'since',
    header: 'Waits since',
    cell: ({ created_at }) => <Time at={created_at} isRelative />,
  },
  {
    id: 'ends',
    header: 'Ends',
    isHiddenAtFirst: true,
    cell: ({ expires_at }) => <Time at={expires_at} isRelative />,
  },
  { id: 'price', header: 'Price', isNumber: true, cell: ({ price }) => <Money amount={price} /> },
  {
    id: 'tries',
    header: 'Tries',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ tries }) => tries,
  },
  {
    id: 'campaign',
    header: 'Campaign',
    isHiddenAtFirst: true,
    cell: ({ campaign_name }) => <Name of={campaign_name} />,
  },
  {
    id: 'supplier',
    header: 'Supplier',
    isHiddenAtFirst: true,
    cell: ({ supplier_name }) => <Name of={supplier_name} />,
  },
  { id: 'id', header: 'Delivery', isHiddenAtFirst: true, cell: ({ id }) => <code>{id}</code> },
];

export function DeliveryState({ state }: Pick<Delivery, 'state'>): ReactNode {
  const [text, tone] = DELIVERY_WORDS[state];
  return <Chip tone={tone}>{text}</Chip>;
}
