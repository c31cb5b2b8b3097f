/** The commands on deliveries, one call after the other. */
import type { InputOf, OutputOf } from '../../lib/useActions.js';
import type { BulkRow } from './useBulk.js';
import { isVerdict, type QueueAct } from './deliveryWords.js';
import { useStep } from './useStep.js';

/** What happened to one delivery. */
export type DeliveryRow = BulkRow & { delivery_id: string };

interface DeliveryActs {
  /** Resolves with null when it was refused; `error` has the reason. */
  run(
    act: QueueAct,
    input: InputOf<'retry_deliveries'>,
  ): Promise<OutputOf<'retry_deliveries'> | null>;
  error: Error | null;
}

export function useDeliveryActs(): DeliveryActs {
  const retry = useStep('retry_deliveries');
  const hold = useStep('hold_deliveries');
  const drop = useStep('drop_deliveries');
  const resolve = useStep('resolve_deliveries');
  return {
    run: (act, input) =>
      isVerdict(act)
        ? resolve.run({ ...input, result: act })
        : { retry, hold, drop }[act].run(input),
    error: retry.error ?? hold.error ?? drop.error ?? resolve.error,
  };
}
