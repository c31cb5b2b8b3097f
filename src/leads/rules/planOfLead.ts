/** The plan as it applies to one lead. */
import { applyLocks } from './locks.js';
import type { Lead } from './lead.js';
import type { Plan } from '../../account/rules/plan.js';
import { applyResale } from './resale.js';

/**
 * With the bids that were promised for the lead, and without the buyers that had its data. All code that loads the plan
 * of a stored lead uses this; applying it again changes nothing.
 */
export const planOfLead = (plan: Plan, lead: Pick<Lead, 'ping' | 'resale' | 'supplier_id'>): Plan =>
  applyResale(applyLocks(plan, lead), lead);
