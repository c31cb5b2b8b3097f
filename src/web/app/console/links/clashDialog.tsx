import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCall } from '../../lib/useActions.js';
import { Button, Diff, Dialog, Loaded } from '../../ui/index.js';
import { authorName } from './author.js';
import { cellName, termsOf } from './columns.js';
import type { Campaign } from './rows.js';
import type { PlacedClash, Saving } from './useSaveLinks.js';
import { inWordsOf, writeValue } from './words.js';

interface ClashDialogProps {
  saving: Saving;
  campaign: Campaign;
  onClose(): void;
}

const keyOf = ({ side, row, column }: PlacedClash): string => `${side} ${row} ${column}`;

/** Two editors of one campaign: the later sees what the other changed, and chooses whose values stay, one by one. */
export default function ClashDialog({ saving, campaign, onClose }: ClashDialogProps): ReactNode {
  const { clashes } = saving;
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (clash: PlacedClash, isTheirs: boolean): void =>
    setTheirs((before) => {
      const next = new Set(before);
      if (isTheirs) next.add(keyOf(clash));
      else next.delete(keyOf(clash));
      return next;
    });
  const apply = (): void => {
    saving.choose(
      clashes.filter((one) => theirs.has(keyOf(one))),
      'theirs',
    );
    saving.choose(
      clashes.filter((one) => !theirs.has(keyOf(one))),
      'mine',
    );
    onClose();
  };
  return (
    <Dialog title="Others changed this campaign" isOpen onClose={onClose}>
      <Others saving={saving} campaign={campaign} />
      {clashes.length === 0 ? (
        <p>
          Your changes touch none of these values. Save again to lay them over version{' '}
          {campaign.version}.
        </p>
      ) : (
        <>
          <p>You both changed these values. Choose which one stays:</p>
          <ul className="clashes">
            {clashes.map((clash) => (
              <ClashRow
                key={keyOf(clash)}
                clash={clash}
                label={cellName(campaign, clash)}
                isTheirs={theirs.has(keyOf(clash))}
                onChoose={(isTheirs) => choose(clash, isTheirs)}
              />
            ))}
          </ul>
        </>
      )}
      <div className="actions">
        {clashes.length > 0 ? (
          <>
            <Button kind="primary" onClick={apply}>
              Keep these values
            </Button>
            <Button onClick={() => setTheirs(new Set(clashes.map(keyOf)))}>All theirs</Button>
            <Button onClick={() => setTheirs(new Set())}>All mine</Button>
          </>
        ) : (
          <Button
            kind="primary"
            isBusy={saving.isSaving}
            onClick={() => {
              onClose();
              void saving.save();
            }}
          >
            Save mine over version {campaign.version}
          </Button>
        )}
        <Button onClick={onClose}>Go on editing</Button>
      </div>
    </Dialog>
  );
}

/** What the other editors changed since the version that was tried. */
function Others({ saving: { refusedAt }, campaign }: Omit<ClashDialogProps, 'onClose'>): ReactNode {
  const formats = useFormats();
  const input = { campaign_id: campaign.id, limit: 1, from_version: refusedAt ?? campaign.version };
  const of = useCall('get_plan_history', input, { isOff: refusedAt === null });
  if (refusedAt === null) return null;
  return (
    <Loaded of={of}>
      {({ versions: [newest], difference, version }) => (
        <>
          <p>
            <bdi>{authorName(newest?.by)}</bdi> published version {version} after you had opened
            version {refusedAt}:
          </p>
          <Diff
            caption="What others changed"
            rows={(difference?.changes ?? []).slice(0, OTHERS_MAX).map((change) => {
              const { whose, what, before, after } = inWordsOf(change, formats);
              return { key: change.path, label: whose ? `${whose}, ${what}` : what, before, after };
            })}
          />
        </>
      )}
    </Loaded>
  );
}

const OTHERS_MAX = 20;

interface ClashRowProps {
  clash: PlacedClash;
  label: string;
  isTheirs: boolean;
  onChoose(isTheirs: boolean): void;
}

function ClashRow({ clash, label, isTheirs, onChoose }: ClashRowProps): ReactNode {
  const formats = useFormats();
  const term = termsOf(clash.side).find(({ name }) => name === clash.column);
  const write = (value: unknown): string => writeValue(value, term, formats) || '–';
  return (
    <li>
      <fieldset>
        <legend>
          <bdi>{label}</bdi> <span className="muted">was {write(clash.from)}</span>
        </legend>
        <label>
          <input
            type="radio"
            name={keyOf(clash)}
            checked={isTheirs}
            onChange={() => onChoose(true)}
          />
          Theirs: <strong>{write(clash.theirs)}</strong>
        </label>
        <label>
          <input
            type="radio"
            name={keyOf(clash)}
            checked={!isTheirs}
            onChange={() => onChoose(false)}
          />
          Mine: <strong>{write(clash.mine)}</strong>
        </label>
      </fieldset>
    </li>
  );
}
