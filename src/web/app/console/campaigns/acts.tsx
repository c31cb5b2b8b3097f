/** The acts on a whole campaign: pause and resume, copy, archive. Each can be taken back. */
import { Archive, Copy, EllipsisVertical, Pause, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Button, Confirm, IconButton, Menu, useToast, type MenuItem } from '../../ui/index.js';
import { CopyDialog } from './copyDialog.js';
import type { CampaignStatus } from './words.js';

/** What the acts need to know of a campaign. */
export interface Acted {
  id: string;
  name: string;
  status: CampaignStatus;
}

type Asking = 'pause' | 'copy' | 'archive' | null;

interface CampaignActsProps {
  campaign: Acted;
  /** In a row of a list: a menu alone. */
  isRow?: boolean;
}

/** Absent for a role that may do none of it. */
export function CampaignActs({ campaign, isRow = false }: CampaignActsProps): ReactNode {
  const [asking, setAsking] = useState<Asking>(null);
  const [, goTo] = useLocation();
  const set = useSetStatus(campaign);
  const close = (): void => setAsking(null);
  const resume = (): unknown => set.run('ACTIVE');
  const items = useItems(campaign, { isRow, ask: setAsking, resume });
  if (items.length === 0) return null;
  return (
    <>
      {!isRow && (
        <PauseButton status={campaign.status} ask={() => setAsking('pause')} resume={resume} />
      )}
      <Menu
        trigger={<IconButton icon={EllipsisVertical} label={`More for ${campaign.name}`} />}
        items={items}
      />
      <Confirm
        title={asking === 'archive' ? `Archive ${campaign.name}?` : `Pause ${campaign.name}?`}
        act={asking === 'archive' ? 'Archive' : 'Pause'}
        isDanger={asking === 'archive'}
        isOpen={asking === 'pause' || asking === 'archive'}
        onClose={close}
        write={set.write}
        onConfirm={async () => {
          if (await set.run(asking === 'archive' ? 'ARCHIVED' : 'PAUSED')) close();
        }}
      >
        <p>{asking === 'archive' ? ARCHIVING : PAUSING}</p>
      </Confirm>
      <CopyDialog
        campaign={campaign}
        isOpen={asking === 'copy'}
        onClose={close}
        onDone={(id) => goTo(`/campaigns/${id}`)}
      />
    </>
  );
}

const PAUSING =
  'Its leads and pings are refused until you resume it. Leads that wait for a buyer are still decided.';
const ARCHIVING =
  'It accepts no more leads and pings, and lists leave it out. Its leads, reports and history stay, and you can bring it back.';

interface PauseButtonProps {
  status: CampaignStatus;
  ask(): void;
  resume(): unknown;
}

const PauseButton = ({ status, ask, resume }: PauseButtonProps): ReactNode =>
  status === 'ACTIVE' ? (
    <Button onClick={ask}>
      <Pause size={16} aria-hidden /> Pause
    </Button>
  ) : (
    <Button kind={status === 'PAUSED' ? 'primary' : 'secondary'} onClick={() => void resume()}>
      <Play size={16} aria-hidden /> {status === 'PAUSED' ? 'Resume' : 'Bring back'}
    </Button>
  );

interface ItemOptions {
  isRow: boolean;
  ask(what: Asking): void;
  resume(): unknown;
}

function useItems({ status }: Acted, { isRow, ask, resume }: ItemOptions): MenuItem[] {
  const [canChange, canCopy, canArchive] = [
    useCan('update_campaign'),
    useCan('copy_campaign'),
    useCan('archive_campaign'),
  ];
  const pause: MenuItem = { label: 'Pause', icon: Pause, run: () => ask('pause') };
  const play: MenuItem = {
    label: status === 'ARCHIVED' ? 'Bring back' : 'Resume',
    icon: Play,
    run: resume,
  };
  return [
    ...(isRow && canChange ? [status === 'ACTIVE' ? pause : play] : []),
    ...(canCopy ? [{ label: 'Copy', icon: Copy, run: () => ask('copy') }] : []),
    ...(canArchive && status !== 'ARCHIVED'
      ? [{ label: 'Archive', icon: Archive, isDanger: true, run: () => ask('archive') }]
      : []),
  ];
}

const DONE: Readonly<Record<CampaignStatus, string>> = {
  ACTIVE: 'accepts leads.',
  PAUSED: 'is paused: its leads are refused.',
  ARCHIVED: 'is archived.',
};

/** Changes the state, and offers to take it back. */
function useSetStatus({ id, name, status: before }: Acted) {
  const write = useWrite('update_campaign');
  const toast = useToast();
  const run = async (status: CampaignStatus): Promise<boolean> => {
    const done = await write.run({ campaign_id: id, status });
    if (!done) {
      if (status === 'ACTIVE') toast(`${name} could not be resumed.`, { tone: 'bad' });
      return false;
    }
    toast(`${name} ${DONE[status]}`, {
      undo: () => write.run({ campaign_id: id, status: before }),
    });
    return true;
  };
  return { write, run };
}
