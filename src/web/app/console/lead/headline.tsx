import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Button, Notice, useToast, type ButtonKind, type Tone } from '../../ui/index.js';
import { CommandButton } from './command.js';
import { isOpen, toneOf, type Explanation, type Lead } from './words.js';

interface HeadlineProps {
  lead: Lead;
  why: Explanation;
}

type Mend = Explanation['mends'][number];

/** Why it is where it is, in one sentence, and the act that mends it. */
export function Headline({ lead, why }: HeadlineProps): ReactNode {
  const tone: Tone = why.mends.some(({ mend }) => mend === 'resolve') ? 'warning' : toneOf(lead);
  return (
    <Notice
      tone={tone}
      title={why.headline}
      action={
        why.mends.length > 0 && (
          <div className="actions lead-mends">
            {why.mends.map((mend, place) => (
              <MendButton
                key={`${mend.mend} ${mend.buyer_id ?? ''}`}
                lead={lead}
                mend={mend}
                kind={place === 0 ? 'primary' : 'secondary'}
              />
            ))}
          </div>
        )
      }
    >
      {isOpen(lead) && <p className="muted">This page follows it until it is decided.</p>}
    </Notice>
  );
}

interface MendProps {
  lead: Lead;
  mend: Mend;
  /** The first stands out. */
  kind: ButtonKind;
}

function MendButton({ lead, mend, kind }: MendProps): ReactNode {
  const mayEdit = useCan(mend.mend.startsWith('raise_supplier') ? EDIT_SUPPLIER : EDIT_BUYER);
  if (mend.mend === 'retry' || mend.mend === 'resolve') {
    const id = mend.delivery_id;
    if (id === null) return null;
    return (
      <CommandButton
        command={mend.mend}
        delivery={{ id, buyer_name: buyerIn(mend.text) }}
        text={mend.text}
        kind={kind}
      />
    );
  }
  if (mend.mend === 'resume') return <ResumeButton lead={lead} mend={mend} kind={kind} />;
  if (!mayEdit) return null;
  return (
    <Link className={`button ${kind}`} href={placeOf(mend, lead)}>
      {mend.text}
    </Link>
  );
}

const EDIT_BUYER = 'update_campaign_buyer';
const EDIT_SUPPLIER = 'update_campaign_supplier';

/** The texts of these two end with the name of the buyer. */
const buyerIn = (text: string): string =>
  text.replace(/^Send to | now$|^Record the answer of /g, '');

/** Where that is edited; a limit is in its cell. */
function placeOf({ mend, buyer_id, setting }: Mend, lead: Lead): string {
  const campaign = `/campaigns/${lead.campaign_id}`;
  const focus = setting ?? FOCUS.get(mend);
  const query = (of: string, id: string) =>
    `?${new URLSearchParams({ [of]: id, ...(focus ? { focus } : {}) }).toString()}`;
  if (mend === 'raise_supplier_cap')
    return `${campaign}/suppliers${query('supplier', lead.supplier_id)}`;
  if (mend === 'end_test_mode' && buyer_id !== null) return `/buyers/${buyer_id}`;
  if (buyer_id !== null) return `${campaign}/buyers${query('buyer', buyer_id)}`;
  return mend === 'add_buyer' ? `${campaign}/buyers` : campaign;
}

const FOCUS: ReadonlyMap<string, string> = new Map([
  ['edit_price', 'price'],
  ['edit_weight', 'weight'],
]);

/** Ends a pause at once; the message takes it back. */
function ResumeButton({ lead, mend, kind }: MendProps): ReactNode {
  const ofLink = useWrite('update_campaign_buyer');
  const ofBuyer = useWrite('update_buyer');
  const toast = useToast();
  const isLink = mend.setting === 'link';
  const may = useCan(isLink ? EDIT_BUYER : 'update_buyer');
  const { buyer_id } = mend;
  if (!may || buyer_id === null) return null;
  const set = (status: 'active' | 'paused') =>
    isLink
      ? ofLink.run({ campaign_id: lead.campaign_id, buyer_id, status })
      : ofBuyer.run({ buyer_id, status });
  const resume = async (): Promise<void> => {
    const done = await set('active');
    if (done) toast(`Resumed: it gets leads from now on.`, { undo: () => set('paused') });
    else toast('It could not be resumed.', { tone: 'bad' });
  };
  return (
    <Button
      kind={kind}
      isBusy={ofLink.isRunning || ofBuyer.isRunning}
      onClick={() => void resume()}
    >
      {mend.text}
    </Button>
  );
}
