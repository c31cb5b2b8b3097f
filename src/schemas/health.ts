/** Answers of the health endpoints. */
import { z } from 'zod';

export const Liveness = z.object({ status: z.literal('ok') });

export const Readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  dependencies: z.record(
    z.string(),
    z.object({
      state: z.enum(['ok', 'error']),
      message: z.string().optional(),
      latency_ms: z.number().optional(),
    }),
  ),
});
