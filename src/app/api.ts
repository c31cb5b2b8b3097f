/** The `api` role: intake, look-ups and the Actions API behind Koa. */
import { outboundPolicy } from './outboundPolicy.js';
import { createActionService } from '../api/actions/service.js';
import { createApp } from '../api/http/app.js';
import { keepCertificate, readCertificate } from '../api/http/certificate.js';
import type { Health } from '../api/http/health.js';
import { createRateLimiter } from '../platform/rateLimits/limiter.js';
import { listen } from '../api/http/server.js';
import { createAdmission } from '../ingest/admission.js';
import { createAnswers } from '../ingest/answers.js';
import { HANDED_OVER_BY_MS } from '../ingest/deadlines.js';
import { createCallers } from '../ingest/callers.js';
import { createDirectory } from '../account/access/directory.js';
import { createHandOver } from '../ingest/handOver.js';
import { type Item, type Taken } from '../ingest/group.js';
import { createIntake } from '../ingest/intake.js';
import { createPingClaims } from '../ingest/pingClaim.js';
import { createShownBuyer } from '../ingest/shownBuyer.js';
import { createConfirmations } from '../deliveries/recipients/confirmations.js';
import { createMarks } from '../ingest/marks.js';
import { createLookup } from '../ingest/lookup/lookup.js';
import { createExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import { createPostbacks } from '../outcomes/postbacks/postbacks.js';
import { createPings } from '../pings/createPings.js';
import { queueCommands } from '../distribution/commands/queueCommands.js';
import { createGate } from '../platform/security/gate.js';
import { createSecurityLog } from '../platform/security/securityLog.js';
import { idempotencyStore } from '../ingest/store/idempotency.js';
import { pingRedemption } from '../pings/store/pingRedemption.js';
import { buyerLeads } from '../leads/store/buyerLeads.js';
import { leadLookup } from '../leads/store/leadLookup.js';
import { pingCountStore } from '../pings/store/pingCounts.js';
import { pingStore } from '../pings/store/pings.js';
import { apiDescription } from '../api/openapi/description.js';
import { expiryStarter } from '../platform/temporal/expiryStarter.js';
import { createGroupCommit } from '../lib/groupCommit.js';
import type { Deps } from './deps.js';

export interface Api {
  url: string;
  /** Looks whether its certificate was renewed. Never rejects. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** How long the answer to an operator's command is waited for, in milliseconds. */
const COMMAND_WAIT_MS = 20_000;
/** How long requests in flight may take once the process is stopping, in milliseconds. */
const GRACE_MS = 8_000;

export async function startApi(deps: Deps, health: Health): Promise<Api> {
  const { collections, config, clock, log, leads, plans, starter } = deps;
  const directory = createDirectory(collections, plans, clock);
  const readClaim = createPingClaims({ tokens: deps.pingTokens, clock });
  const admit = createAdmission(directory, clock, readClaim);
  const shownBuyer = createShownBuyer(deps.keyring);
  const idempotency = idempotencyStore(collections.idempotency);
  const limiter = createRateLimiter({ rates: collections.rates });
  const marks = createMarks({ collections, clock, log });
  const groups = createGroupCommit<Item, Taken>({
    lanes: config.intake.lanes,
    groupMax: config.intake.groupMax,
    lingerMs: config.intake.lingerMs,
    queueMax: config.intake.queueMax,
    refuseAt: ({ receivedAt }) => receivedAt + HANDED_OVER_BY_MS,
    handOver: createHandOver({
      directory,
      admit,
      idempotency,
      leads,
      redemption: pingRedemption(collections),
      marks,
      keyring: deps.keyring,
      starter,
      clock,
      log,
    }),
  });
  const intake = createIntake({
    directory,
    admit,
    limiter,
    groups,
    answers: createAnswers({ leads, clock, log }),
    leads,
    idempotency,
    marks,
    shownBuyer,
    clock,
    log,
  });
  const expiry = expiryStarter(deps.client, deps.queues);
  const buckets = createExpiryBuckets({ ...deps, starter: expiry });
  const pings = createPings({
    ...{ ...deps, directory, limiter },
    counts: pingCountStore(collections.pingCounts),
    pings: pingStore(collections.pings),
    tokens: deps.pingTokens,
    validMs: config.ping.validMs,
    onStored: (expiresAt) => buckets.stored(expiresAt),
  });
  const hasHealthPort = config.healthPort !== undefined;
  const certificate = config.tls ? await readCertificate(config.tls) : undefined;
  const security = createSecurityLog({ log, metrics: deps.metrics });
  let listeningAt = '';
  const confirmations = createConfirmations({
    ...{ collections, clock, log, mail: deps.mail, gate: deps.mailGate },
    background: deps.background,
    recipients: deps.mailRecipients,
    allowedDomains: config.mail.allowedDomains,
    key: deps.mailKey,
    url: () => config.baseUrl ?? config.ingestUrl ?? listeningAt,
  });
  const publicUrl = config.ingestUrl ?? config.baseUrl;
  const app = createApp({
    callers: createCallers({ directory, clock }),
    gate: createGate({ failuresPerMinute: config.authFailuresPerMinute }),
    security,
    intake,
    pings,
    postbacks: createPostbacks({
      ...{ directory, limiter, clock, deliveries: deps.deliveries, changes: deps.saleChanges },
      leads: buyerLeads(collections.leads),
      earlier: async (id) => (await deps.outcomes.get([id])).get(id) ?? null,
    }),
    lookup: createLookup({
      ...{ directory, limiter, shownBuyer },
      leads: leadLookup(collections.leads),
    }),
    confirmations,
    actions: createActionService({
      ...{ collections, clock, keyring: deps.keyring, recipients: confirmations },
      policy: outboundPolicy(config),
      queue: queueCommands({
        ...{ collections, commands: deps.commands, starter, clock },
        waitMs: COMMAND_WAIT_MS,
      }),
      ...{ intake, pings, outcomes: deps.saleChanges, wakeEndpoints: deps.wakeEndpoints },
      returns: deps.returns,
      ingestAddress: () => ({ url: publicUrl ?? listeningAt, isSet: publicUrl !== undefined }),
    }),
    hasHealthPort,
    description: apiDescription({ ...config, hasHealthPort }),
    health,
    log,
    metrics: deps.metrics,
    origins: config.origins,
    trustProxy: config.trustProxy,
  });
  const server = await listen(app, { host: config.host, port: config.port, certificate });
  listeningAt = server.url;
  const renewal =
    config.tls && certificate
      ? keepCertificate({
          ...{ files: config.tls, current: certificate, log },
          use: (next) => server.useCertificate(next),
        })
      : null;
  return {
    url: server.url,
    async renew() {
      await renewal?.look();
    },
    async stop() {
      renewal?.stop();
      await server.close(GRACE_MS);
      await Promise.all([groups.idle(), pings.idle(), deps.saleChanges.idle()]);
      await marks.flush();
      limiter.close();
      security.close();
    },
  };
}
