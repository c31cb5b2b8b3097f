/** Suppliers on the wire. */
import { z } from 'zod';
import { ActiveStatus } from './common.js';

export const RateLimit = z.strictObject({
  per_second: z.number().int().min(1).max(100_000).optional().describe('Default 100'),
  burst_per_second: z.number().int().min(1).max(100_000).optional().describe('Default 200'),
  burst_seconds: z.number().int().min(1).max(3_600).optional().describe('Default 10'),
});

export const supplierSettings = {
  status: ActiveStatus.optional().describe('The leads of a paused supplier are refused'),
  test_mode: z.boolean().optional().describe('In test mode all it sends are test leads'),
  rate_limit: RateLimit.optional().describe('How fast it may send leads'),
};
