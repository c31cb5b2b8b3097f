/** Saving what was typed: all of it in one version of the campaign, or nothing. */
import { useState } from 'react';
import type { ApiError } from '../../lib/api.js';
import { useWrite, type InputOf } from '../../lib/useActions.js';
import {
  changesOf,
  clashesOf,
  editAt,
  faultyCells,
  isSame,
  overTheirs,
  stillChanging,
  withoutClashes,
  type CellPlace,
  type Clash,
} from '../../ui/grid/edits.js';
import { useToast } from '../../ui/index.js';
import type { DraftHandle, Side } from './draft.js';
import { rowsOf, storedCells, type Campaign } from './rows.js';

type Links = Pick<InputOf<'update_campaign_links'>, 'buyers' | 'suppliers'>;

/** The changes as actions take them: to save them, or to try them on past leads. */
export const linksOf = ({ buyer, supplier }: DraftHandle['draft']): Links => ({
  buyers: changesOf(buyer).map(({ row, values }) => ({ buyer_id: row, ...values })),
  suppliers: changesOf(supplier).map(({ row, values }) => ({ supplier_id: row, ...values })),
});

const SIDES: readonly Side[] = ['buyer', 'supplier'];

export interface PlacedClash extends Clash {
  side: Side;
}

export interface PlacedFault extends CellPlace {
  side: Side;
  fault: string;
}

export interface Saving {
  save(): Promise<void>;
  isSaving: boolean;
  /** Why all of it was refused, where no cell is to blame. */
  error: ApiError | null;
  faults: readonly PlacedFault[];
  faultAt(side: Side, place: CellPlace): string | undefined;
  /** Values that both this person and another have changed. */
  clashes: readonly PlacedClash[];
  isClash(side: Side, place: CellPlace): boolean;
  /** The version that was tried when another had been published; null: none. */
  refusedAt: number | null;
  /** Ends the choice between both. */
  choose(clashes: readonly PlacedClash[], whose: 'mine' | 'theirs'): void;
  close(): void;
}

interface Sent {
  links: Links;
  version: number;
}

export function useSaveLinks(campaign: Campaign, handle: DraftHandle): Saving {
  const { draft } = handle;
  const write = useWrite('update_campaign_links');
  const revert = useWrite('revert_plan');
  const toast = useToast();
  const [sent, setSent] = useState<Sent | null>(null);
  const clashes = SIDES.flatMap((side): PlacedClash[] =>
    clashesOf(draft[side], storedCells(rowsOf(campaign, side))).map((one) => ({ ...one, side })),
  );
  const isRefused = write.error?.code === 'version_conflict';
  const refusals = sent && !isRefused ? refusedCells(write.error, sent.links) : [];
  const faults = [
    ...SIDES.flatMap((side) => faultyCells(draft[side]).map((one) => ({ ...one, side }))),
    // A cell that was typed again since is tried again.
    ...refusals.filter(({ side, value, ...place }) => {
      const edit = editAt(draft[side], place);
      return edit && edit.fault === undefined && isSame(edit.to, value);
    }),
  ];
  const undo = async (version: number): Promise<void> => {
    const done = await revert.run({
      campaign_id: campaign.id,
      version: version - 1,
      expected_version: version,
    });
    if (done) toast(`Version ${version} is taken back.`);
    else toast('It was not taken back: the campaign has changed since.', { tone: 'bad' });
  };
  const save = async (): Promise<void> => {
    const links = linksOf(draft);
    const { version } = campaign;
    setSent({ links, version });
    const done = await write.run({ campaign_id: campaign.id, ...links, expected_version: version });
    if (!done) return;
    setSent(null);
    handle.discard();
    toast(`Saved as version ${done.version}.`, { undo: () => undo(done.version) });
  };
  return {
    save,
    isSaving: write.isRunning,
    error: write.error && !isRefused && refusals.length === 0 ? write.error : null,
    faults,
    faultAt: (side, { row, column }) =>
      faults.find((one) => one.side === side && one.row === row && one.column === column)?.fault,
    clashes,
    isClash: (side, { row, column }) =>
      clashes.some((one) => one.side === side && one.row === row && one.column === column),
    refusedAt: isRefused ? (sent?.version ?? null) : null,
    choose(chosen, whose) {
      for (const side of SIDES) {
        const of = chosen.filter((one) => one.side === side);
        const resolved =
          whose === 'mine' ? overTheirs(draft[side], of) : withoutClashes(draft[side], of);
        const kept = stillChanging(resolved, storedCells(rowsOf(campaign, side)));
        if (of.length > 0) handle.set(side, kept);
      }
    },
    close() {
      write.reset();
      setSent(null);
    },
  };
}

/** The cells that the service refused: `buyers.3.price` is that of the fourth buyer that was sent. */
function refusedCells(
  error: ApiError | null,
  { buyers = [], suppliers = [] }: Links,
): (PlacedFault & { value: unknown })[] {
  return (error?.details ?? []).flatMap(({ path, message }) => {
    const [list, n = '', column = ''] = path.split('.');
    const side: Side = list === 'buyers' ? 'buyer' : 'supplier';
    const link = side === 'buyer' ? buyers[Number(n)] : suppliers[Number(n)];
    if (!link) return [];
    const row = 'buyer_id' in link ? link.buyer_id : link.supplier_id;
    const value = new Map<string, unknown>(Object.entries(link)).get(column);
    const fault = message.replace(`${path} `, '');
    return [
      { side, row, column, value, fault: `${fault.charAt(0).toUpperCase()}${fault.slice(1)}` },
    ];
  });
}
