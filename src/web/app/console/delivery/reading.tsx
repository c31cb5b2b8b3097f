import type { ReactNode } from 'react';
import type { OutputOf } from '../../lib/useActions.js';
import { Facts, Money, Notice, Written, type Tone } from '../../ui/index.js';

type ReadAnswer = NonNullable<OutputOf<'test_delivery'>['reading']>;

const RESULT: Record<ReadAnswer['result'], readonly [string, Tone]> = {
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'bad'],
  not_taken: ['Not taken', 'warning'],
  unknown: ['Unknown', 'warning'],
};

const BY: Record<ReadAnswer['by'], string> = {
  accept_when: 'The acceptance rule holds',
  reject_when: 'The refusal rule holds',
  not_accepted: 'The acceptance rule does not hold, so a 2xx answer refuses the lead',
  status: 'No rule holds: the HTTP status decides',
};

/** What an answer means, which rule decided it, and the result for the lead. */
export function Reading({ reading }: { reading: ReadAnswer }): ReactNode {
  const [title, tone] = RESULT[reading.result];
  return (
    <div role="status">
      <Notice tone={tone} title={title}>
        <p>{reading.message}</p>
        <Facts
          facts={[
            ['Decided by', BY[reading.by]],
            ['Reason', reading.reason && <Written>{reading.reason}</Written>],
            ['Reference', reading.reference && <Written>{reading.reference}</Written>],
            ['Price in the answer', reading.price !== null && <Money amount={reading.price} />],
            [
              'Asks to wait',
              reading.retry_after_ms !== null && `${reading.retry_after_ms / 1_000} seconds`,
            ],
            ['Notes', reading.notes.length > 0 && reading.notes.join(', ').replaceAll('_', ' ')],
          ]}
        />
      </Notice>
    </div>
  );
}
