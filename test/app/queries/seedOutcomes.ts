/** Open changes of sold leads among applied ones; windows that have ended, and that have not. */
import type { Collections } from '../../../src/app/database.js';
import { aChange, aSoldLead } from '../../outcomes/changes.js';
import { after, before } from '../../support/storedRows.js';

const HOUR = 3_600_000;

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedOutcomes({ leads, outcomes }: Collections): Promise<void> {
  await leads.insertMany([
    ...times(40, (n) =>
      aSoldLead({ _id: `window-${n}`, outcome_due: before(2 * HOUR + n * 1_000) }),
    ),
    ...times(500, (n) => aSoldLead({ _id: `waits-${n}`, outcome_due: after(n * 1_000) })),
    ...times(100, (n) => aSoldLead({ _id: `sold-${n}` })),
  ]);
  await outcomes.insertMany([
    ...times(40, (n) => aChange(`sold-${n}`, { _id: `open-${n}`, received_at: before(HOUR + n) })),
    ...times(40, (n) => aChange(`sold-${n}`, { _id: `fresh-${n}` })),
    ...times(500, (n) =>
      aChange(`sold-${n % 100}`, {
        _id: `made-${n}`,
        received_at: before(2 * HOUR + n),
        state: 'made',
        seq: n,
      }),
    ),
  ]);
}
