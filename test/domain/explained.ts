import type { Subject } from '../../src/domain/explain.js';
import type { Lead, TrailEntry } from '../../src/domain/lead.js';
import { aLead } from '../store/builders.js';
import { aBuyer, aPlan } from './builders.js';
import { NOW, ZONE } from './situations.js';

export const B2 = aBuyer({ buyer_id: 'b2', name: 'Bolt' });
const B1 = aBuyer({ buyer_id: 'b1', name: 'Acme', states: ['TX', 'NV'] });
export const PLAN = aPlan({ time_zone: ZONE, buyers: [B1, B2], version: 7 });

/** An entry of a trail. */
export const entry = (
  step: TrailEntry['step'],
  result: string,
  rest: Partial<TrailEntry> = {},
) => ({
  ...{ at: NOW, step, result },
  ...rest,
});

/** A lead between Acme (b1) and Bolt (b2). */
export const subject = (lead: Partial<Lead>, plan = PLAN): Subject => ({
  ...{ lead: aLead(lead), plan, currency: 'USD' },
});
