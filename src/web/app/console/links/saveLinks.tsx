import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import type { CellPlace } from '../../ui/grid/edits.js';
import { SaveBar } from '../../ui/grid/saveBar.js';
import { Confirm } from '../../ui/index.js';
import { cellName } from './columns.js';
import type { DraftHandle, Side } from './draft.js';
import type { Campaign } from './rows.js';
import type { Saving } from './useSaveLinks.js';

/** Loaded when two editors have met. */
const ClashDialog = lazy(() => import('./clashDialog.js'));

interface SaveLinksProps {
  saving: Saving;
  handle: DraftHandle;
  campaign: Campaign;
  onGoTo(side: Side, place: CellPlace): void;
  /** The screen is the preview itself. */
  isPreview?: boolean;
}

/** One Save for the buyers and suppliers of the campaign, a preview of it, and the choice where others were faster. */
export function SaveLinks(props: SaveLinksProps): ReactNode {
  const { saving, handle, campaign, onGoTo, isPreview = false } = props;
  const [isDiscarding, setIsDiscarding] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const mayPreview = useCan('preview_routing') && !isPreview;
  const { draft, count } = handle;
  const isAsked = isChoosing || saving.refusedAt !== null;
  const save = (): void => {
    const [fault] = saving.faults;
    // All or nothing: a cell that cannot be saved is mended first.
    if (fault) onGoTo(fault.side, fault);
    // Others' values are never written over unseen.
    else if (saving.clashes.length > 0) setIsChoosing(true);
    else void saving.save();
  };
  const both = new Map([...draft.buyer, ...draft.supplier]);
  return (
    <>
      <SaveBar
        edits={both}
        faults={saving.faults.map((fault) => ({
          ...fault,
          label: cellName(campaign, fault),
        }))}
        onFault={(place) => {
          const of = saving.faults.find(
            ({ row, column }) => row === place.row && column === place.column,
          );
          if (of) onGoTo(of.side, place);
        }}
        onSave={save}
        onDiscard={() => setIsDiscarding(true)}
        isSaving={saving.isSaving}
        error={saving.error}
      >
        {mayPreview && (
          <Link className="button" href={`/campaigns/${campaign.id}/preview`}>
            Preview
          </Link>
        )}
      </SaveBar>
      <Confirm
        title="Discard all changes?"
        act="Discard"
        isDanger
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        onConfirm={() => {
          setIsDiscarding(false);
          saving.close();
          handle.discard();
        }}
      >
        <p>{count === 1 ? '1 change' : `${count} changes`} of buyers and suppliers will be lost.</p>
      </Confirm>
      {isAsked && (
        <Suspense>
          <ClashDialog
            saving={saving}
            campaign={campaign}
            onClose={() => {
              setIsChoosing(false);
              saving.close();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
