/** Which event says how a lead ended. */
import type { LeadEventType } from '../../events/rules/events.js';
import type { LeadStatus } from './leadStatus.js';

/** The event that says how a lead has ended; none of what its supplier was told 503 for. */
export const ENDING_EVENTS = {
  ACCEPTED: 'lead.accepted',
  REJECTED: 'lead.rejected',
  UNMATCHED: 'lead.unmatched',
  DUPLICATE: 'lead.duplicate',
  EXPIRED: 'lead.expired',
} as const satisfies Partial<Record<LeadStatus, LeadEventType>>;
