/** How many leads per second are refused: every other one for a bad field (400), the others by a filter (422). */
import { figuresOf } from '../report/figures.js';
import { orError } from '../load/intakeLoad.js';
import type { Measure } from '../part.js';
import { saturate, senderOf } from '../load/stage.js';

const OPEN = 128;
const SUPPLIERS = 8;
const WARM_UP_SECONDS = 1;
const ONLY_TEXAS = { all: [{ id: 'only', field: 'state', operator: '==', value: 'TX' }] } as const;

export const refused: Measure = async (bench, { seconds, rounds }, say) => {
  const { account, supplier } = await bench.account((url) => ({
    suppliers: SUPPLIERS,
    campaign: { filters: { all: [...ONLY_TEXAS.all] } },
    buyers: { fast: { delivery: { url: `${url}/fast/1` } } },
  }));
  const sender = senderOf(async (n) => {
    const fields = n % 2 ? { state: 'CA' } : { email: 'nobody' };
    const from = { supplier: n % account.suppliers.length };
    const answer = await orError(() => supplier.post(fields, from));
    if (typeof answer === 'string') return answer;
    const { status, error } = answer;
    return status === 400 || status === 422 ? `refused ${status}` : `${status} ${error ?? 'taken'}`;
  });
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const stage = { ...sender, say, warmUp: WARM_UP_SECONDS };
    perSecond.push((await saturate(stage, OPEN, seconds)).perSecond);
  }
  return figuresOf('refused_per_s', perSecond, `${OPEN} open, half of them 400, half 422`);
};
