/** Which event reports how a lead ended. */
import type { LeadEventType } from '../../events/rules/events.js';
import type { LeadStatus } from './leadStatus.js';

/** The event that reports how a lead has ended; none for a lead whose supplier received 503. */
export const ENDING_EVENTS = {
  ACCEPTED: 'lead.accepted',
  REJECTED: 'lead.rejected',
  UNMATCHED: 'lead.unmatched',
  DUPLICATE: 'lead.duplicate',
  EXPIRED: 'lead.expired',
} as const satisfies Partial<Record<LeadStatus, LeadEventType>>;
