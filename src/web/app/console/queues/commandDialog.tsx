import type { ReactNode } from 'react';
import type { InputOf } from '../../lib/useActions.js';
import { BulkDialog } from '../bulk/bulkDialog.js';
import { BULK_MAX, type Bulk, type BulkPart, type BulkRow } from '../bulk/useBulk.js';
import { useStep } from '../bulk/useStep.js';
import { ACT_WORDS, isVerdict, type QueueAct } from './words.js';

/** The deliveries that match; a filter names at least one of them. */
export interface QueueFilter {
  buyer_id?: string;
  campaign_id?: string;
  supplier_id?: string;
}

export interface QueueCommand {
  act: QueueAct;
  /** The deliveries, or the filter that all of them match. */
  of: { ids: readonly string[] } | { filter: QueueFilter };
}

interface CommandDialogProps {
  command: QueueCommand;
  onClose(): void;
  onDone(): void;
}

type Row = BulkRow & { delivery_id: string };

/** A command on deliveries one by one. What the dry run names is what is changed, and nothing that came later. */
export function CommandDialog({ command, onClose, onDone }: CommandDialogProps): ReactNode {
  const { act, of } = command;
  const commands = {
    retry: useStep('retry_deliveries'),
    hold: useStep('hold_deliveries'),
    drop: useStep('drop_deliveries'),
  };
  const resolve = useStep('resolve_deliveries');
  const send = (input: InputOf<'retry_deliveries'>) =>
    isVerdict(act) ? resolve.run({ ...input, result: act }) : commands[act].run(input);
  const place = (part: BulkPart) =>
    'ids' in part
      ? { delivery_ids: [...part.ids] }
      : { ...('filter' in of ? of.filter : {}), max: BULK_MAX, ...part };
  const bulk: Bulk<Row> & { error: Error | null } = {
    ids: 'ids' in of ? of.ids : null,
    keyOf: ({ delivery_id }) => delivery_id,
    check: (part) => send({ ...place(part), dry_run: true }),
    carryOut: (ids, note) => send({ delivery_ids: [...ids], ...(note ? { note } : {}) }),
    error: (isVerdict(act) ? resolve : commands[act]).error,
  };
  return <BulkDialog words={ACT_WORDS[act]} bulk={bulk} onClose={onClose} onDone={onDone} />;
}
