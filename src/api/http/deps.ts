/** The dependencies of the HTTP layer. */
import type { ActionService } from '../actions/service.js';
import type { ConsoleService } from '../console/service.js';
import type { Callers } from '../../ingest/callers.js';
import type { FindPicture } from '../../funnels/pictures.js';
import type { ShownFunnels } from '../../funnels/shown.js';
import type { FunnelSubmits } from '../../funnels/submit/funnelSubmits.js';
import type { FunnelTokens } from '../../funnels/submit/token.js';
import type { Intake } from '../../ingest/types.js';
import type { LiveLeads } from '../live/liveLeads.js';
import type { Log } from '../../lib/log.js';
import type { Lookup } from '../../ingest/lookup/lookup.js';
import type { Metrics } from '../../platform/metrics.js';
import type { PartnerService } from '../partner/service.js';
import type { Pings } from '../../pings/types.js';
import type { Postbacks } from '../../outcomes/postbacks/postbacks.js';
import type { Gate } from '../../platform/security/gate.js';
import type { SecurityLog } from '../../platform/security/securityLog.js';
import type { Confirmations } from '../../deliveries/recipients/confirmations.js';
import type { People } from '../../people/people.js';
import type { ForwardedWatch } from './forwarded.js';
import type { Health } from '../schemas/health.js';

/** What every process serves about itself, in any role. */
export interface ProcessDeps {
  health: Health;
  log: Log;
  metrics: Metrics;
  /** Trust the X-Forwarded-* headers of a proxy in front. */
  trustProxy: boolean;
  /**
   * The port is only for operators, as `HEALTH_PORT` is; absent: anybody may reach it. Never told from the caller's
   * address: a proxy on the same machine may pass on the requests of strangers.
   */
  isInternal?: boolean;
  /** Notices a proxy that is not trusted. */
  forwarded?: ForwardedWatch;
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
  people: People;
  /** The actions for the organization's own people. */
  console: ConsoleService;
  /** The live feeds of leads. */
  live: Pick<LiveLeads, 'open'>;
  /** The portals of buyers and suppliers. */
  partners: PartnerService;
  funnels: FunnelPages;
  /** The public address of the service, where it is set: pages at its origin count as our own. */
  baseUrl: string | undefined;
  /** The address of funnels where no other page has its host; else null. */
  ownFunnelsUrl: string | null;
  /** Web pages that may call the MCP endpoint, as the Origin header names them. */
  origins: readonly string[];
  /** Health and metrics are on a port of their own, and not on that of the API. */
  hasHealthPort: boolean;
  /** The OpenAPI document, made on the first request. */
  description: () => ServedFile;
}

/** The dependencies of the pages of funnels. */
export interface FunnelPages {
  shown: ShownFunnels;
  tokens: FunnelTokens;
  picture: FindPicture;
  submits: FunnelSubmits;
  /** The address at which visitors open funnels. */
  site(): string;
}

export interface ServedFile {
  bytes: Buffer;
  contentType: string;
  /** Weak: it identifies the content, compressed or not (RFC 9110, section 8.8.1). */
  etag: string;
  /** Compressed on the first request, and kept. */
  gzipped(): Promise<Buffer>;
  /** For a file that was compressed at build time. */
  brotli?(): Promise<Buffer>;
}
