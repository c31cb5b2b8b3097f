/** Suppliers on the wire. */
import { z } from 'zod';
import { ActiveStatus } from './common.js';

const rate = (most: number, description: string, usual: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(most)
    .optional()
    .meta({ description, examples: [usual] });

export const RateLimit = z.strictObject({
  per_second: rate(100_000, 'Leads per second; default 100', 100),
  burst_per_second: rate(100_000, 'Leads per second in a burst; default 200', 200),
  burst_seconds: rate(3_600, 'How long a burst may last, in seconds; default 10', 10),
});

export const PingRateLimit = z.strictObject({
  per_second: rate(100_000, 'Pings per second; default 500', 500),
  burst_per_second: rate(100_000, 'Pings per second in a burst; default 1000', 1_000),
  burst_seconds: rate(3_600, 'How long a burst may last, in seconds; default 10', 10),
});

export const PostbackRateLimit = z.strictObject({
  per_second: rate(100_000, 'Postbacks per second; default 100', 100),
  burst_per_second: rate(100_000, 'Postbacks per second in a burst; default 100', 100),
  burst_seconds: rate(3_600, 'How long a burst may last, in seconds; default 1', 1),
});

export const supplierSettings = {
  status: ActiveStatus.optional().describe('The leads of a paused supplier are refused'),
  test_mode: z.boolean().optional().describe('In test mode all leads it sends are test leads'),
  rate_limit: RateLimit.optional().describe('The rate limit of its leads'),
  ping_rate_limit: PingRateLimit.optional().describe('The rate limit of its pings'),
};
