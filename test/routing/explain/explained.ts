import type { Subject } from '../../../src/routing/explain/explain.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { aLead } from '../../support/storedRows.js';
import { aBuyer, aPlan } from '../../support/builders.js';
import { NOW, ZONE } from '../rules/situations.js';

export const B2 = aBuyer({ buyer_id: 'b2', name: 'Bolt' });
const B1 = aBuyer({ buyer_id: 'b1', name: 'Acme', states: ['TX', 'NV'] });
export const PLAN = aPlan({ time_zone: ZONE, buyers: [B1, B2], version: 7 });

/** An entry of a trail. */
export const entry = (
  step: TrailEntry['step'],
  result: string,
  rest: Partial<TrailEntry> = {},
) => ({
  at: NOW,
  step,
  result,
  ...rest,
});

/** A lead between Acme (b1) and Bolt (b2). */
export const subject = (lead: Partial<Lead>, plan = PLAN): Subject => ({
  lead: aLead(lead),
  plan,
  currency: 'USD',
});
