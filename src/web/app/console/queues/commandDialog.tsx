import type { ReactNode } from 'react';
import { BulkDialog } from '../bulk/bulkDialog.js';
import { ACT_WORDS, type QueueAct } from '../bulk/deliveryWords.js';
import { BULK_MAX, type Bulk, type BulkPart } from '../bulk/useBulk.js';
import { useDeliveryActs, type DeliveryRow } from '../bulk/useDeliveryActs.js';

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

/** A command on deliveries one by one. What the dry run names is what is changed, and nothing that came later. */
export function CommandDialog({ command, onClose, onDone }: CommandDialogProps): ReactNode {
  const { act, of } = command;
  const { run, error } = useDeliveryActs();
  const place = (part: BulkPart) =>
    'ids' in part
      ? { delivery_ids: [...part.ids] }
      : { ...('filter' in of ? of.filter : {}), max: BULK_MAX, ...part };
  const bulk: Bulk<DeliveryRow> = {
    ids: 'ids' in of ? of.ids : null,
    keyOf: ({ delivery_id }) => delivery_id,
    check: (part) => run(act, { ...place(part), dry_run: true }),
    carryOut: (ids, { note }) => run(act, { delivery_ids: [...ids], ...(note ? { note } : {}) }),
    error,
  };
  return <BulkDialog words={ACT_WORDS[act]} bulk={bulk} onClose={onClose} onDone={onDone} />;
}
