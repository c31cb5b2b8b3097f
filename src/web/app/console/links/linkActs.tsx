import { Ellipsis, ExternalLink, List, Pause, Play, Unlink } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { IconButton, Menu, useToast, type MenuItem } from '../../ui/index.js';
import type { Side } from './draft.js';
import { RemoveLink } from './removeLink.js';
import type { Campaign, LinkRow } from './rows.js';

interface LinkActsProps {
  campaign: Campaign;
  side: Side;
  row: LinkRow;
}

/** Pause or resume at once, and what else is done with one link. */
export function LinkActs({ campaign, side, row }: LinkActsProps): ReactNode {
  const [isRemoving, setIsRemoving] = useState(false);
  const mayRemove = useCan(`remove_${side}_from_campaign`);
  const items: MenuItem[] = [
    { label: `Open ${side}`, icon: ExternalLink, href: `/${side}s/${row.id}` },
    {
      label: 'Leads',
      icon: List,
      href: `/leads?campaign_id=${campaign.id}&${side}_id=${row.id}`,
    },
    ...(mayRemove
      ? [
          {
            label: 'Remove from campaign…',
            icon: Unlink,
            isDanger: true,
            run: () => setIsRemoving(true),
          },
        ]
      : []),
  ];
  return (
    <span className="link-acts">
      <PauseLink campaign={campaign} side={side} row={row} />
      <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${row.name}`} />} items={items} />
      {isRemoving && (
        <RemoveLink
          campaign={campaign}
          side={side}
          row={row}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </span>
  );
}

/** Takes effect at once; the message has Undo. */
function PauseLink({ campaign, side, row }: LinkActsProps): ReactNode {
  const toast = useToast();
  const may = useCan('update_campaign_links');
  const write = useWrite('update_campaign_links');
  if (!may) return null;
  const set = async (status: 'active' | 'paused', isUndo = false): Promise<void> => {
    const links =
      side === 'buyer'
        ? { buyers: [{ buyer_id: row.id, status }] }
        : { suppliers: [{ supplier_id: row.id, status }] };
    const done = await write.run({ campaign_id: campaign.id, ...links });
    const act = status === 'paused' ? 'paused' : 'resumed';
    if (done === null) toast(`${row.name} was not ${act}. Try again.`, { tone: 'bad' });
    else
      toast(
        `${row.name} is ${act} in ${campaign.name}.`,
        isUndo ? {} : { undo: () => set(row.status, true) },
      );
  };
  const isPaused = row.status === 'paused';
  return (
    <IconButton
      icon={isPaused ? Play : Pause}
      label={`${isPaused ? 'Resume' : 'Pause'} ${row.name}`}
      isBusy={write.isRunning}
      onClick={() => void set(isPaused ? 'active' : 'paused')}
    />
  );
}
