import { useCallback, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall, usePages, useWrite, type InputOf } from '../../lib/useActions.js';
import { Confirmed, Loaded, Paged, Select } from '../../ui/index.js';
import { AttemptTable } from './attempts.js';
import type { BuyerTabProps } from './words.js';
import { DeliveryDialog } from './deliveryDialog.js';
import { counted } from './words.js';

type State = NonNullable<InputOf<'list_deliveries'>['state']>;

const STATES: readonly { value: State; label: string }[] = [
  { value: 'done', label: 'All that have ended' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'failed', label: 'Failed' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'unknown', label: 'Unanswered' },
  { value: 'abandoned', label: 'Abandoned' },
  { value: 'expired', label: 'Expired' },
];

/** What was sent to the buyer and what waits for it, with each answer. */
export default function Deliveries({ buyer }: BuyerTabProps): ReactNode {
  const [{ state: given, delivery }, change] = useFilters(['state', 'delivery']);
  const state = STATES.find(({ value }) => value === given)?.value ?? 'done';
  const pages = usePages('list_deliveries', { buyer_id: buyer.id, state, limit: 50 });
  const close = useCallback(() => change({ delivery: '' }), [change]);
  return (
    <>
      <div className="filters">
        <Select
          label="State"
          name="state"
          options={STATES}
          value={state}
          onChange={({ target }) => change({ state: target.value })}
        />
        <RetryAll buyer={buyer} />
      </div>
      <Paged of={pages}>{(rows) => <AttemptTable buyerId={buyer.id} rows={rows} />}</Paged>
      <DeliveryDialog buyer={buyer} id={delivery} onClose={close} />
    </>
  );
}

/** Sends what waits for the buyer now, and ends its cooldown. */
function RetryAll({ buyer }: BuyerTabProps): ReactNode {
  const may = useCan('retry_deliveries');
  const retry = useWrite('retry_deliveries');
  const health = useCall('get_buyer_health', { buyer_id: buyer.id });
  if (!may) return null;
  return (
    <Loaded of={health}>
      {({ waiting }) =>
        waiting > 0 && (
          <Confirmed
            button="Send all that wait now"
            title="Send all that wait now?"
            act="Send now"
            write={retry}
            run={() => retry.run({ buyer_id: buyer.id })}
            describe={({ rows }) => `${counted(rows, 'delivery', 'deliveries')} will be sent now.`}
          >
            <p>
              {counted(waiting, 'delivery', 'deliveries')} to <bdi>{buyer.name}</bdi> are sent now.
              A hold and a cooldown end.
            </p>
          </Confirmed>
        )
      }
    </Loaded>
  );
}
