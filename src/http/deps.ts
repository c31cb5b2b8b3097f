/** What the HTTP layer is given. */
import type { Intake } from '../intake/types.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Health } from './health.js';

export interface HttpDeps {
  intake: Intake;
  health: Health;
  log: Log;
  metrics: Metrics;
  /** Believe the X-Forwarded-* headers of a proxy in front. */
  trustProxy: boolean;
}
