import type { ReactNode } from 'react';
import { useCall, useWrite } from '../../lib/useActions.js';
import { Confirm, Loaded, useToast } from '../../ui/index.js';
import type { Side } from './draft.js';
import type { Campaign, LinkRow } from './rows.js';

interface RemoveLinkProps {
  campaign: Campaign;
  side: Side;
  row: LinkRow;
  onClose(): void;
}

/** Takes a buyer or a supplier out of the campaign, after its dry run has shown what will happen. */
export function RemoveLink(props: RemoveLinkProps): ReactNode {
  const { campaign, side, row, onClose } = props;
  const toast = useToast();
  const buyers = useWrite('remove_buyer_from_campaign');
  const suppliers = useWrite('remove_supplier_from_campaign');
  const revert = useWrite('revert_plan');
  const campaign_id = campaign.id;
  const undo = async (version: number): Promise<void> => {
    const to = { campaign_id, version: version - 1, expected_version: version };
    const done = await revert.run(to);
    if (done) toast(`${row.name} is linked again, on the terms of before.`);
    else
      toast(`${row.name} was not linked again: the campaign has changed since.`, { tone: 'bad' });
  };
  const remove = async (): Promise<void> => {
    const done =
      side === 'buyer'
        ? await buyers.run({ campaign_id, buyer_id: row.id })
        : await suppliers.run({ campaign_id, supplier_id: row.id });
    if (done === null) return;
    onClose();
    toast(`${row.name} is no longer in ${campaign.name}.`, { undo: () => undo(done.version) });
  };
  return (
    <Confirm
      title={`Remove ${row.name} from ${campaign.name}?`}
      act={`Remove ${side}`}
      isDanger
      isOpen
      write={side === 'buyer' ? buyers : suppliers}
      onConfirm={remove}
      onClose={onClose}
    >
      {side === 'buyer' ? <BuyerEffect {...props} /> : <SupplierEffect {...props} />}
      <p>Its terms stay in the versions of the campaign.</p>
    </Confirm>
  );
}

function BuyerEffect({ campaign, row }: RemoveLinkProps): ReactNode {
  const dry = useCall('remove_buyer_from_campaign', {
    campaign_id: campaign.id,
    buyer_id: row.id,
    dry_run: true,
  });
  return (
    <Loaded of={dry}>
      {({ waiting }) => <p>It gets no new leads of this campaign. {waitText(waiting.parked)}</p>}
    </Loaded>
  );
}

function SupplierEffect({ campaign, row }: RemoveLinkProps): ReactNode {
  const dry = useCall('remove_supplier_from_campaign', {
    campaign_id: campaign.id,
    supplier_id: row.id,
    dry_run: true,
  });
  return (
    <Loaded of={dry}>
      {({ waiting }) => <p>Its leads are refused here from now on. {waitText(waiting.parked)}</p>}
    </Loaded>
  );
}

/** @param deliveries null: too many to count in time */
const waitText = (deliveries: number | null): string => {
  if (deliveries === 0) return 'No delivery waits.';
  const many = deliveries === null ? 'Many deliveries' : `${deliveries} deliveries`;
  return deliveries === 1
    ? '1 delivery waits, and keeps the promise made to its lead.'
    : `${many} wait, and keep the promise made to their leads.`;
};
