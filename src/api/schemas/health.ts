/** Answers of the health endpoints, and the report that they are made from. */
import { z } from 'zod';

export const Liveness = z
  .object({
    status: z.literal('ok').describe('Always ok: an unhealthy process does not answer'),
    version: z.string().meta({ description: 'The version of the service', examples: ['0.1.0'] }),
  })
  .describe('The process is alive.');

const count = (what: string) => z.number().int().describe(`${what}, counted up to counted_to`);

export const Attention = z.object({
  unknown_deliveries: count('Deliveries whose buyer never answered'),
  open_breakers: count('Buyers to which nothing is sent because they fail'),
  dead_lettered_events: count('Events that an automation did not accept'),
  counted_to: z.number().int().describe('The highest number that is counted'),
});
export type Attention = z.infer<typeof Attention>;

export const Readiness = z.object({
  status: z.enum(['ready', 'not_ready']).describe('Whether it can do its work'),
  dependencies: z
    .record(
      z.string(),
      z.object({
        state: z.enum(['ok', 'error']).describe('Whether the dependency answers'),
        message: z.string().optional().describe('What is wrong'),
        latency_ms: z.number().optional().describe('How long it took to answer, in milliseconds'),
      }),
    )
    .meta({
      description: 'The dependencies, by name',
      examples: [{ mongodb: { state: 'ok', latency_ms: 1.2 } }],
    }),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'Problems that an operator should resolve although the process can do its work; absent: none',
    ),
  attention: Attention.optional().describe(
    'What waits for a person in the whole installation; it does not make a process unready. Absent: not known, or not shown on this port',
  ),
});

/** The reported health of a process. */
export type HealthReport = Omit<z.infer<typeof Readiness>, 'status'> & { ok: boolean };

export interface Health {
  /** Checks every dependency; one that fails is a part of the report, not an exception. */
  check(): Promise<HealthReport>;
}
