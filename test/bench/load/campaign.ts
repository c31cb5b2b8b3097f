/** The campaign whose intake is measured, by the service and by what it is compared with. */
import type { AccountSpec } from '../../support/account.js';

/** Each may send far more than one machine can take. */
const SUPPLIERS = 8;

/** Half of the leads, by their state, may go to the first buyer only. */
export const measuredCampaign = (url: string): AccountSpec => ({
  suppliers: SUPPLIERS,
  buyers: {
    first: { price: 30, states: ['TX'], delivery: { url: `${url}/fast/1` } },
    second: { price: 20, delivery: { url: `${url}/fast/2` } },
    third: { price: 10, delivery: { url: `${url}/fast/3` } },
  },
});

/** What the n-th request brings, and which supplier sends it. */
export const measuredLead = (n: number) => ({
  fields: { state: n % 2 === 0 ? 'CA' : 'TX' },
  options: { supplier: n % SUPPLIERS },
});
