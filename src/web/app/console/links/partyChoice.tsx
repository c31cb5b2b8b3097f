/** The buyer or supplier to be added to a campaign, found by its name. */
import type { ReactNode } from 'react';
import { useCall } from '../../lib/useActions.js';
import { Combobox } from '../../ui/index.js';
import { useCampaign } from '../campaigns/frame.js';
import type { Side } from './draft.js';

const OPTIONS = { limit: 500 };

interface ChoiceProps {
  campaignId: string;
  side: Side;
  value: string | null;
  onChange(id: string | null): void;
}

/** Of those that are not linked yet. */
export default function PartyChoice({ campaignId, side, value, onChange }: ChoiceProps): ReactNode {
  const buyers = useCall('list_buyers', OPTIONS, { isOff: side !== 'buyer' });
  const suppliers = useCall('list_suppliers', OPTIONS, { isOff: side !== 'supplier' });
  const campaign = useCampaign(campaignId).data;
  const linked = new Set([
    ...(campaign?.buyers.map(({ buyer_id }) => buyer_id) ?? []),
    ...(campaign?.suppliers.map(({ supplier_id }) => supplier_id) ?? []),
  ]);
  const all = (side === 'buyer' ? buyers.data : suppliers.data) ?? [];
  return (
    <Combobox
      label={side === 'buyer' ? 'Buyer' : 'Supplier'}
      name={`${side}_id`}
      options={all
        .filter((one) => !linked.has(one.id))
        .map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      placeholder="Type a name"
    />
  );
}
