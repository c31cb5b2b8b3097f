/** The campaign whose intake is measured, for the service and for the references. */
import type { AccountSpec } from '../../support/account.js';

/** Each supplier may send far more than one machine can accept. */
const SUPPLIERS = 8;

/** Half of the leads, chosen by state, may go to the first buyer only. */
export const measuredCampaign = (url: string): AccountSpec => ({
  suppliers: SUPPLIERS,
  buyers: {
    first: { price: 30, states: ['TX'], delivery: { url: `${url}/fast/1` } },
    second: { price: 20, delivery: { url: `${url}/fast/2` } },
    third: { price: 10, delivery: { url: `${url}/fast/3` } },
  },
});

/** The content of the n-th request, and the supplier that sends it. */
export const measuredLead = (n: number) => ({
  fields: { state: n % 2 === 0 ? 'CA' : 'TX' },
  options: { supplier: n % SUPPLIERS },
});
