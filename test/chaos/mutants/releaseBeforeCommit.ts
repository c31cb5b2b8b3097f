import { setTimeout as delay } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { keyOf, type CapReservation } from '../../../src/routing/rules/caps.js';
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import type { Deps } from '../../../src/app/deps.js';
import type { Collections } from '../../../src/app/database.js';
import { noFaults, type Mutant } from './mutant.js';

/** How long a sold lead is not counted, in milliseconds. */
const GAP_MS = 30;

/** A sale releases its reservation and then counts the sale: in between another lead may take the place. */
function alter(deps: Deps): Deps {
  const { caps, collections } = deps;
  return {
    ...deps,
    caps: {
      ...caps,
      async commit(id, refs) {
        const link = await collections.caps.findOne({ _id: id });
        const own = (link?.held ?? []).filter(({ hold_id, fence }) =>
          refs.some((ref) => ref.hold_id === hold_id && ref.fence >= fence),
        );
        await caps.release(id, own);
        await delay(GAP_MS);
        await countAgain(id, own, collections);
      },
    },
  };
}

async function countAgain(
  id: string,
  holds: readonly CapReservation[],
  { caps }: Pick<Collections, 'caps'>,
): Promise<void> {
  for (const { keys, amount } of holds) {
    const counted = CAP_WINDOWS.map(({ window }): [string, Document] => {
      const used = `$${window}`;
      const more = {
        key: `${used}.key`,
        count: { $add: [`${used}.count`, 1] },
        amount: { $add: [`${used}.amount`, amount] },
      };
      return [window, { $cond: [{ $eq: [`${used}.key`, keyOf(keys, window)] }, more, used] }];
    });
    await caps.updateOne({ _id: id }, [{ $set: Object.fromEntries(counted) }]);
  }
}

export const releaseBeforeCommit: Mutant = {
  alter,
  caughtBy: ['sold_over_cap', 'taken_over_cap', 'counter_over_cap'],
  needs: { campaigns: ['capped'], rate: 60, faults: noFaults },
};
