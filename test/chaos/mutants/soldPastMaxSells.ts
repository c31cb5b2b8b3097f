import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { decider, every, kill, type Mutant } from './mutant.js';

/** Between two sales of a lead, in milliseconds: a kill finds some leads there. */
const SLOW_MS = 300;

/** A run counts only its own sales, not those of the runs before it. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  leads: {
    ...deps.leads,
    acquire: async (...args) => (await deps.leads.acquire(...args)).map(forgetful),
    acquireWaiting: async (...args) => (await deps.leads.acquireWaiting(...args)).map(forgetful),
    async sell(...args) {
      await deps.leads.sell(...args);
      await delay(SLOW_MS);
    },
  },
  deliveries: {
    ...deps.deliveries,
    async acquireRows(leadIds, run) {
      const rows = await deps.deliveries.acquireRows(leadIds, run);
      return new Map([...rows].map(([leadId, own]) => [leadId, own.map(asTried)]));
    },
  },
});

const forgetful = (lead: Lead): Lead => ({ ...lead, sales: [] });

/** Marks this buyer as asked, without its acceptance. */
const asTried = (row: DeliveryDoc): DeliveryDoc =>
  row.state === 'accepted' ? { ...row, state: 'rejected' } : row;

export const soldPastMaxSells: Mutant = {
  alter,
  caughtBy: ['taken_by_too_many', 'sold_past_max_sells', 'accept_without_sale'],
  needs: {
    campaigns: ['several'],
    rate: 40,
    faults: (scene) => every(8_000, scene, (at, n) => kill(at, decider(scene, n))),
  },
};
