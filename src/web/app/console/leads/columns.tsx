import type { ReactNode } from 'react';
import { Money, Time, WordBadge } from '../../ui/index.js';
import type { DataColumn } from '../../ui/data/index.js';
import { phoneText } from '../lead/person.js';
import { reasonText, STATUS_WORDS, type LeadRow } from './words.js';

const Text = ({ text }: { text: string | null }): ReactNode =>
  text ? <bdi title={text}>{text}</bdi> : <span className="muted no-value">–</span>;

/** What a list may show of a lead. Pages are in the order of arrival: no column sorts them. */
export const LEAD_COLUMNS: readonly DataColumn<LeadRow>[] = [
  {
    id: 'name',
    header: 'Name',
    isPinned: true,
    cell: ({ name, id }) => (name ? <bdi title={name}>{name}</bdi> : <code>{id.slice(0, 8)}</code>),
  },
  { id: 'age', header: 'Received', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
  { id: 'status', header: 'Status', cell: ({ status }) => <WordBadge of={STATUS_WORDS[status]} /> },
  { id: 'reason', header: 'Reason', cell: (row) => <Text text={reasonText(row)} /> },
  { id: 'phone', header: 'Phone', cell: ({ phone }) => <Text text={phone && phoneText(phone)} /> },
  {
    id: 'email',
    header: 'Email',
    isHiddenAtFirst: true,
    cell: ({ email }) => <Text text={email} />,
  },
  { id: 'state', header: 'State', cell: ({ state }) => <Text text={state} /> },
  {
    id: 'zip',
    header: 'ZIP',
    isHiddenAtFirst: true,
    cell: ({ zip_code }) => <Text text={zip_code} />,
  },
  {
    id: 'campaign',
    header: 'Campaign',
    cell: ({ campaign_name, campaign_id }) => <Text text={campaign_name ?? campaign_id} />,
  },
  {
    id: 'supplier',
    header: 'Supplier',
    cell: ({ supplier_name, supplier_id }) => <Text text={supplier_name ?? supplier_id} />,
  },
  {
    id: 'buyer',
    header: 'Buyer',
    cell: ({ buyer_name, buyer_id }) => <Text text={buyer_name ?? buyer_id} />,
  },
  {
    id: 'revenue',
    header: 'Revenue',
    isNumber: true,
    cell: ({ revenue }) => <Money amount={revenue} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ cost }) => <Money amount={cost} />,
  },
  {
    id: 'price',
    header: 'First price',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ price }) => <Money amount={price} />,
  },
  {
    id: 'at',
    header: 'Received at',
    isHiddenAtFirst: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  { id: 'id', header: 'Lead ID', isHiddenAtFirst: true, cell: ({ id }) => <code>{id}</code> },
];
