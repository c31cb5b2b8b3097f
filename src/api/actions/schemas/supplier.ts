/** Suppliers on the wire. */
import { z } from 'zod';
import { LEAD_RATE, PING_RATE } from '../../../account/rateLimit.js';
import { ActiveStatus } from './common.js';

export const supplierSettings = {
  status: ActiveStatus.optional().describe('The leads of a paused supplier are refused'),
  test_mode: z.boolean().optional().describe('In test mode all leads it sends are test leads'),
  rate_limit: LEAD_RATE.schema.partial().optional().describe('The rate limit of its leads'),
  ping_rate_limit: PING_RATE.schema.partial().optional().describe('The rate limit of its pings'),
};
