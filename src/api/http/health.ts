/** The reported health of a process. */
import type { z } from 'zod';
import type { Readiness } from '../schemas/health.js';

export type HealthReport = Omit<z.infer<typeof Readiness>, 'status'> & { ok: boolean };

export interface Health {
  /** Checks every dependency; one that fails is a part of the report, not an exception. */
  check(): Promise<HealthReport>;
}
