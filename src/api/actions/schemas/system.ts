/** The state of the installation on the wire, without any data of organizations. */
import { z } from 'zod';
import { Instant, orNull } from './common.js';

export const SystemView = z.object({
  status: z
    .enum(['ready', 'not_ready'])
    .describe('ready: a lead would be accepted and decided now'),
  parts: z
    .array(
      z.object({
        name: z.string().meta({ description: 'The part', examples: ['mongodb'] }),
        state: z.enum(['ok', 'error']).describe('Whether it answers'),
        message: orNull(z.string()).describe('What is wrong; null: nothing'),
        latency_ms: orNull(z.number()).describe('How long it took to answer'),
      }),
    )
    .describe('What the work depends on: mongodb, temporal, workers'),
  warnings: z.array(z.string()).describe('What an operator of the installation should resolve'),
  reconciled_at: orNull(Instant).describe(
    'When the repair of every minute (reconcile) was last complete; null: never',
  ),
  versions: z
    .object({
      leadwire: z.string().describe('The version of Leadwire'),
      commit: z.string().describe('The commit that it was built from'),
      built_at: orNull(Instant).describe('When it was built; null: not known'),
      node: z.string().describe('The version of Node.js'),
      mongodb: orNull(z.string()).describe('The version of MongoDB; null: it does not answer'),
      temporal: orNull(z.string()).describe('The version of Temporal; null: it does not answer'),
    })
    .describe('What runs, in which version'),
  links: z
    .object({
      metrics_url: orNull(z.string()).describe(
        'Where this process has its metrics; null: they are for operators of the installation alone',
      ),
      temporal_ui_url: orNull(z.string()).describe(
        'The Temporal UI, where the installation names one',
      ),
      temporal_namespace: z.string().describe('The namespace of the workflows'),
    })
    .describe('Where to look further'),
});

export type SystemState = z.input<typeof SystemView>;
