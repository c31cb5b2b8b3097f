import type { ReactNode } from 'react';
import { BulkDialog } from '../bulk/bulkDialog.js';
import { BULK_MAX, type Bulk, type BulkPart, type BulkRow } from '../bulk/useBulk.js';
import { useStep } from '../bulk/useStep.js';
import { BULK_WORDS, type Verdict } from './words.js';

export interface ReturnsCommand {
  verdict: Verdict;
  of: { ids: readonly string[] } | { filter: { buyer_id?: string; campaign_id?: string } };
}

interface ReturnsDialogProps {
  command: ReturnsCommand;
  onClose(): void;
  onDone(): void;
}

type Row = BulkRow & { return_id: string | null };

/** One decision for many returns. */
export function ReturnsDialog({ command, onClose, onDone }: ReturnsDialogProps): ReactNode {
  const { verdict, of } = command;
  const resolve = useStep('resolve_returns');
  const place = (part: BulkPart) =>
    'ids' in part
      ? { return_ids: [...part.ids] }
      : { ...('filter' in of ? of.filter : {}), max: BULK_MAX, ...part };
  const bulk: Bulk<Row> = {
    ids: 'ids' in of ? of.ids : null,
    keyOf: ({ return_id }) => return_id,
    check: (part) => resolve.run({ ...place(part), result: verdict, dry_run: true }),
    carryOut: (ids, { note }) =>
      resolve.run({ return_ids: [...ids], result: verdict, note: note || null }),
    error: resolve.error,
  };
  return <BulkDialog words={BULK_WORDS[verdict]} bulk={bulk} onClose={onClose} onDone={onDone} />;
}
