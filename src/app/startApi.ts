/** What roles with an API serve behind Koa: leads, pings, postbacks, lookups, the Actions API, MCP and pages. */
import { createActionService } from '../api/actions/service.js';
import { createApp } from '../api/http/app.js';
import { createInviterRights } from '../api/console/inviterRights.js';
import { createConsoleService } from '../api/console/service.js';
import { createPartnerService } from '../api/partner/service.js';
import { portalOf } from '../portal/settings.js';
import { watchCertificate, readCertificate } from '../api/http/certificate.js';
import { createRateLimiter } from '../platform/rateLimits/limiter.js';
import type { HttpDeps } from '../api/http/deps.js';
import { listen } from '../api/http/server.js';
import { webEndpoints } from '../web/server/index.js';
import { createAdmission } from '../ingest/admission.js';
import { createDecisionPoller } from '../ingest/decisionPoller.js';
import { GROUPED_BY_MS } from '../ingest/deadlines.js';
import { createCallers } from '../ingest/callers.js';
import { createAccountCache } from '../account/access/accountCache.js';
import { createGroupCommitter } from '../ingest/commitGroup.js';
import { type IntakeItem, type GroupResult } from '../ingest/group.js';
import { createIntake } from '../ingest/intake.js';
import { createPingClaims } from '../ingest/pingClaim.js';
import { createShownBuyer } from '../leads/shownBuyer.js';
import { createConfirmations } from '../deliveries/recipients/confirmations.js';
import { createResponseLog } from '../ingest/responseLog.js';
import { createLookup } from '../ingest/lookup/lookup.js';
import { createExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import { createPostbacks } from '../outcomes/postbacks/postbacks.js';
import { createPings } from '../pings/createPings.js';
import { createQueueCommands } from '../distribution/commands/queueCommands.js';
import { openBreachedPasswords } from '../platform/security/breachedPasswords.js';
import { createGate } from '../platform/security/gate.js';
import { createSecurityLog } from '../platform/security/securityLog.js';
import { createIdempotencyStore } from '../ingest/store/idempotency.js';
import { createPingRedemption } from '../pings/store/pingRedemption.js';
import { createBuyerLeads } from '../leads/store/buyerLeads.js';
import { createLeadLookup } from '../leads/store/leadLookup.js';
import { createPingCountStore } from '../pings/store/pingCounts.js';
import { createPingStore } from '../pings/store/pings.js';
import type { PeopleDeps } from '../people/deps.js';
import { createPeople } from '../people/people.js';
import { apiDescription } from '../api/openapi/description.js';
import { createExpiryStarter } from '../platform/temporal/expiryStarter.js';
import { createGroupCommit } from '../lib/groupCommit.js';
import { createFunnels, createFunnelSite } from './funnelSite.js';
import type { Decider } from '../distribution/decider.js';
import type { Deps } from './deps.js';

/** How long the API waits for the answer to an operator's command, in milliseconds. */
const COMMAND_WAIT_MS = 20_000;
/** A fifth of all that are accepted; a supplier at its highest rate needs some hundreds. */
const CONNECTIONS_PER_CLIENT = 2_000;
/** How long requests in flight may take once the process is stopping, in milliseconds. */
const GRACE_MS = 8_000;

/** What the process gives to its API. */
export type ApiParts = Pick<HttpDeps, 'health' | 'forwarded'> & Pick<PeopleDeps, 'passwordCost'>;

export type Api = Awaited<ReturnType<typeof startApi>>;

/** @param decider decides leads: this process itself, or other processes */
export async function startApi(
  deps: Deps,
  decider: Decider,
  { health, forwarded, passwordCost }: ApiParts,
) {
  const { collections, config, clock, log, plans } = deps;
  const accountCache = createAccountCache(collections, plans, clock);
  const readClaim = createPingClaims({ tokens: deps.pingTokens, clock });
  const admit = createAdmission(accountCache, clock, readClaim);
  const shownBuyer = createShownBuyer(deps.keyring);
  const idempotency = createIdempotencyStore(collections.idempotency);
  const limiter = createRateLimiter({ rates: collections.rates });
  const responseLog = createResponseLog(deps);
  const groups = createGroupCommit<IntakeItem, GroupResult>({
    maxInFlight: config.intake.lanes,
    groupMax: config.intake.groupMax,
    lingerMs: config.intake.lingerMs,
    queueMax: config.intake.queueMax,
    refuseAt: ({ receivedAt }) => receivedAt + GROUPED_BY_MS,
    onSettled: ({ size, tookMs }) => {
      deps.metrics.intakeGroupLeads.observe(size);
      deps.metrics.intakeGroupSeconds.observe(tookMs / 1_000);
    },
    commit: createGroupCommitter({
      ...deps,
      accountCache,
      admit,
      idempotency,
      redemption: createPingRedemption(collections),
      responseLog,
      decider,
    }),
  });
  const intake = createIntake({
    ...deps,
    accountCache,
    admit,
    limiter,
    groups,
    decisionPoller: createDecisionPoller(deps),
    idempotency,
    responseLog,
    shownBuyer,
  });
  const expiry = createExpiryStarter(deps.client, deps.queues);
  const buckets = createExpiryBuckets({ ...deps, starter: expiry });
  const pings = createPings({
    ...deps,
    accountCache,
    limiter,
    counts: createPingCountStore(collections.pingCounts),
    pings: createPingStore(collections.pings),
    tokens: deps.pingTokens,
    validMs: config.ping.validMs,
    onStored: (expiresAt) => buckets.stored(expiresAt),
  });
  const hasHealthPort = config.healthPort !== undefined;
  const certificate = config.tls ? await readCertificate(config.tls) : undefined;
  const security = createSecurityLog({ log, metrics: deps.metrics });
  let listeningAt = '';
  const confirmations = createConfirmations({
    ...deps,
    gate: deps.mailGate,
    recipients: deps.mailRecipients,
    allowedDomains: config.mail.allowedDomains,
    key: deps.mailKey,
    url: () => config.baseUrl ?? config.ingestUrl ?? listeningAt,
  });
  const publicUrl = config.ingestUrl ?? config.baseUrl;
  const siteUrl = (): string => config.baseUrl ?? listeningAt;
  const { breachedPasswordsFile } = config;
  const breachedPasswords =
    breachedPasswordsFile === undefined ? null : await openBreachedPasswords(breachedPasswordsFile);
  const people = createPeople({
    ...deps,
    breachedPasswords,
    allowPrivate: config.outboundAllowPrivate,
    baseUrl: siteUrl,
    isOpen: async ({ org_id, scope }) =>
      scope.kind === 'organization' || (await portalOf(collections, org_id, scope)) !== null,
    mayInvite: createInviterRights({ collections, clock }),
    passwordCost,
  });
  const actionDeps = {
    collections,
    clock,
    keyring: deps.keyring,
    recipients: confirmations,
    policy: deps.policy,
    queue: createQueueCommands({ ...deps, waitMs: COMMAND_WAIT_MS }),
    intake,
    pings,
    outcomes: deps.saleChanges,
    wakeEndpoints: deps.wakeAutomations,
    returns: deps.returns,
    ingestAddress: () => ({ url: publicUrl ?? listeningAt, isSet: publicUrl !== undefined }),
    members: people.members,
    singleSignOn: people.oidc,
    siteUrl,
    funnels: createFunnelSite(config.funnels, deps.funnelTokens, siteUrl),
  };
  const funnels = createFunnels(
    { ...deps, accountCache, intake, pings, limiter, ownOrigin: config.funnels.hasOwnOrigin },
    actionDeps.funnels.url,
  );
  const http: HttpDeps = {
    callers: createCallers({ accountCache, clock }),
    gate: createGate({ failuresPerMinute: config.authFailuresPerMinute }),
    security,
    intake,
    pings,
    postbacks: createPostbacks({
      ...deps,
      accountCache,
      limiter,
      changes: deps.saleChanges,
      leads: createBuyerLeads(collections.leads),
      earlier: async (id) => (await deps.outcomes.get([id])).get(id) ?? null,
    }),
    lookup: createLookup({
      accountCache,
      limiter,
      shownBuyer,
      leads: createLeadLookup(collections.leads),
    }),
    confirmations,
    actions: createActionService(actionDeps),
    console: createConsoleService({ ...actionDeps, people }),
    people,
    partners: createPartnerService({
      ...actionDeps,
      people,
      accountCache,
      channels: deps,
      background: deps.background,
      log,
    }),
    funnels,
    baseUrl: config.baseUrl,
    ownFunnelsUrl: config.funnels.hasOwnOrigin ? (config.funnels.url ?? null) : null,
    hasHealthPort,
    description: apiDescription({ ...config, hasHealthPort }),
    health,
    log,
    metrics: deps.metrics,
    origins: config.origins,
    trustProxy: config.trustProxy,
    forwarded,
  };
  const app = createApp(http, { pages: webEndpoints });
  const server = await listen(app, {
    host: config.host,
    port: config.port,
    certificate,
    perClient: config.trustProxy ? undefined : CONNECTIONS_PER_CLIENT,
  });
  listeningAt = server.url;
  const renewal =
    config.tls && certificate
      ? watchCertificate({
          files: config.tls,
          current: certificate,
          log,
          use: (next) => server.useCertificate(next),
        })
      : null;
  return {
    url: server.url,
    /** Checks whether its certificate was renewed. Never rejects. */
    renew: async (): Promise<void> => renewal?.look(),
    async stop(): Promise<void> {
      renewal?.stop();
      await server.close(GRACE_MS, config.stopDelayMs);
      await Promise.all([groups.idle(), pings.idle(), deps.saleChanges.idle()]);
      await Promise.all([responseLog.flush(), funnels.submits.counts.flush()]);
      limiter.close();
      security.close();
      await breachedPasswords?.close();
    },
  };
}
