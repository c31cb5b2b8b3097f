/** What the HTTP layer is given. */
import type { ActionService } from '../actions/service.js';
import type { Callers } from '../intake/callers.js';
import type { Intake } from '../intake/types.js';
import type { Log } from '../log.js';
import type { Lookup } from '../lookup/lookup.js';
import type { Metrics } from '../metrics.js';
import type { Pings } from '../ping/types.js';
import type { Postbacks } from '../outcomes/postbacks.js';
import type { Gate } from '../security/gate.js';
import type { SecurityLog } from '../security/securityLog.js';
import type { Confirmations } from '../recipients/confirmations.js';
import type { Health } from './health.js';
import type { ServedFile } from './servedFile.js';

/** What every process can show of itself, whatever its role. */
export interface ProcessDeps {
  health: Health;
  log: Log;
  metrics: Metrics;
  /** Believe the X-Forwarded-* headers of a proxy in front. */
  trustProxy: boolean;
}

export interface HttpDeps extends ProcessDeps {
  callers: Callers;
  gate: Gate;
  security: SecurityLog;
  intake: Intake;
  lookup: Lookup;
  pings: Pings;
  postbacks: Postbacks;
  actions: ActionService;
  confirmations: Pick<Confirmations, 'read' | 'confirm'>;
  /** Web pages that may call the MCP endpoint, as the Origin header names them. */
  origins: readonly string[];
  /** Health and metrics are on a port of their own, and not on that of the API. */
  hasHealthPort: boolean;
  /** The OpenAPI document, made when it is first asked for. */
  description: () => ServedFile;
}
