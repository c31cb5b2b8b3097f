import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import type { RowWindows } from '../../../src/deliveries/rules/rowWindows.js';
import { noFaults, type Mutant } from './mutant.js';

/**
 * In milliseconds: some leads have a reservation with their buyer before midnight and with the others after it, as
 * others overtake them.
 */
const SLOW_MS = 700;

/** A row names one day for its buyer, its supplier and its campaign: the day of the last counter asked. */
function alter(deps: Deps): Deps {
  let asked = 0;
  return {
    ...deps,
    caps: {
      ...deps.caps,
      async reserve(request) {
        if (!request.id.startsWith('buyer:') && ++asked % 2 === 0) await delay(SLOW_MS);
        return deps.caps.reserve(request);
      },
    },
    deliveries: {
      ...deps.deliveries,
      insertAttempts: (rows) => deps.deliveries.insertAttempts(rows.map(asOne)),
      park: (rows, run) => deps.deliveries.park(rows.map(asOne), run),
      resend: (rows, ...rest) => deps.deliveries.resend(rows.map(asOne), ...rest),
    },
  };
}

function asOne<R extends RowWindows>(row: R): R {
  const { reserved, reserved_apart: apart } = row;
  return {
    ...row,
    reserved: apart?.campaign ?? apart?.supplier ?? reserved,
    reserved_apart: undefined,
  };
}

export const oneDayForAll: Mutant = {
  alter,
  caughtBy: ['counter_off', 'counter_amount_off'],
  // Judged after the load: while leads are posted, counters cannot be compared with rows.
  needs: { campaigns: ['capped'], rate: 40, faults: noFaults, turn: 'day', loadFor: 20 },
};
