/** What roles with an API serve behind Koa: leads, pings, postbacks, lookups, the Actions API, MCP and pages. */
import { createActionService } from '../api/actions/service.js';
import { createApp } from '../api/http/app.js';
import { createInviterRights } from '../api/console/inviterRights.js';
import { createConsoleService } from '../api/console/service.js';
import { createLiveLeads } from '../api/live/liveLeads.js';
import { createPartnerService } from '../api/partner/service.js';
import { portalOf } from '../portal/settings.js';
import { watchCertificate, readCertificate } from '../api/http/certificate.js';
import { createRateLimiter, type RateLimiter } from '../platform/rateLimits/limiter.js';
import type { HttpDeps } from '../api/http/deps.js';
import { listen } from '../api/http/server.js';
import { lostPage, webEndpoints } from '../web/server/index.js';
import { createAdmission } from '../ingest/admission.js';
import { createDecisionPoller } from '../ingest/decisionPoller.js';
import { GROUPED_BY_MS } from '../ingest/deadlines.js';
import { createCallers } from '../ingest/callers.js';
import { createAccountCache, type AccountCache } from '../account/access/accountCache.js';
import { createKeyUses } from '../account/keys/keyUses.js';
import { createGroupCommitter } from '../ingest/commitGroup.js';
import { type IntakeItem, type GroupResult } from '../ingest/group.js';
import { createIntake } from '../ingest/intake.js';
import { createPingClaims } from '../ingest/pingClaim.js';
import { createShownBuyer, type ShownBuyer } from '../leads/shownBuyer.js';
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
import { createSystemReader } from './systemState.js';
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
  const { collections, config, clock, log, metrics } = deps;
  const { baseUrl, trustProxy } = config;
  const shared = {
    accountCache: createAccountCache(collections, deps.plans, clock),
    limiter: createRateLimiter({ rates: collections.rates }),
    shownBuyer: createShownBuyer(deps.keyring),
  };
  const { intake, groups, responseLog } = openIntake(deps, decider, shared);
  const pings = openPings(deps, shared);
  let listeningAt = '';
  const siteUrl = (): string => baseUrl ?? listeningAt;
  const publicUrl = config.ingestUrl ?? baseUrl;
  const confirmations = createConfirmations({
    ...deps,
    gate: deps.mailGate,
    recipients: deps.mailRecipients,
    allowedDomains: config.mail.allowedDomains,
    key: deps.mailKey,
    url: () => baseUrl ?? config.ingestUrl ?? listeningAt,
  });
  const breachedPasswords =
    config.breachedPasswordsFile === undefined
      ? null
      : await openBreachedPasswords(config.breachedPasswordsFile);
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
    ...deps,
    recipients: confirmations,
    queue: createQueueCommands({ ...deps, waitMs: COMMAND_WAIT_MS }),
    intake,
    pings,
    outcomes: deps.saleChanges,
    wakeEndpoints: deps.wakeAutomations,
    ingestAddress: () => ({ url: publicUrl ?? listeningAt, isSet: publicUrl !== undefined }),
    members: people.members,
    singleSignOn: people.oidc,
    siteUrl,
    system: createSystemReader({ deps, health, siteUrl }),
    funnels: createFunnelSite(config.funnels, deps.funnelTokens, siteUrl),
  };
  const security = createSecurityLog({ log, metrics });
  const funnels = createFunnels(
    { ...deps, ...shared, intake, pings, ownOrigin: config.funnels.hasOwnOrigin },
    actionDeps.funnels.url,
  );
  const hasHealthPort = config.healthPort !== undefined;
  const live = createLiveLeads(actionDeps);
  const keyUses = createKeyUses(deps);
  const http: HttpDeps = {
    callers: createCallers({ ...shared, clock, keyUses }),
    gate: createGate({ failuresPerMinute: config.authFailuresPerMinute }),
    security,
    intake,
    pings,
    postbacks: createPostbacks({
      ...deps,
      ...shared,
      changes: deps.saleChanges,
      leads: createBuyerLeads(collections.leads),
      earlier: async (id) => (await deps.outcomes.get([id])).get(id) ?? null,
    }),
    lookup: createLookup({ ...shared, leads: createLeadLookup(collections.leads) }),
    confirmations,
    actions: createActionService(actionDeps),
    console: createConsoleService({ ...actionDeps, people }),
    live,
    people,
    partners: createPartnerService({ ...actionDeps, ...shared, people, channels: deps }),
    funnels,
    baseUrl,
    ownFunnelsUrl: config.funnels.hasOwnOrigin ? (config.funnels.url ?? null) : null,
    hasHealthPort,
    isInternal: config.metrics.onPort === 'all',
    description: apiDescription({ ...config, hasHealthPort }),
    health,
    log,
    metrics,
    origins: config.origins,
    trustProxy,
    forwarded,
  };
  const server = await openServer(createApp(http, { pages: webEndpoints, lost: lostPage }), deps);
  listeningAt = server.url;
  return {
    url: server.url,
    /** Checks whether its certificate was renewed. Never rejects. */
    renew: server.renew,
    async stop(): Promise<void> {
      live.stop();
      await server.close();
      await Promise.all([groups.idle(), pings.idle(), deps.saleChanges.idle()]);
      await Promise.all([responseLog, funnels.submits.counts, keyUses].map((one) => one.flush()));
      shared.limiter.close();
      security.close();
      await breachedPasswords?.close();
    },
  };
}

/** What several of the services use. */
interface Shared {
  accountCache: AccountCache;
  limiter: RateLimiter;
  shownBuyer: ShownBuyer;
}

/** Accepts leads, in groups. */
function openIntake(deps: Deps, decider: Decider, shared: Shared) {
  const { collections, config, clock, metrics } = deps;
  const readClaim = createPingClaims({ tokens: deps.pingTokens, clock });
  const accepting = {
    ...deps,
    ...shared,
    admit: createAdmission(shared.accountCache, clock, readClaim),
    idempotency: createIdempotencyStore(collections.idempotency),
    responseLog: createResponseLog(deps),
  };
  const groups = createGroupCommit<IntakeItem, GroupResult>({
    ...config.intake,
    maxInFlight: config.intake.lanes,
    refuseAt: ({ receivedAt }) => receivedAt + GROUPED_BY_MS,
    onSettled: ({ size, tookMs }) => {
      metrics.intakeGroupLeads.observe(size);
      metrics.intakeGroupSeconds.observe(tookMs / 1_000);
    },
    commit: createGroupCommitter({
      ...accepting,
      redemption: createPingRedemption(collections),
      decider,
    }),
  });
  metrics.showIntake(() => {
    const { waiting, inFlight } = groups.load();
    const { queueMax, lanes } = config.intake;
    return { waiting, waitingMax: queueMax, lanes: inFlight, lanesMax: lanes };
  });
  const decisionPoller = createDecisionPoller(deps);
  const intake = createIntake({ ...accepting, groups, decisionPoller });
  return { intake, groups, responseLog: accepting.responseLog };
}

function openPings(deps: Deps, shared: Shared) {
  const starter = createExpiryStarter(deps.client, deps.queues);
  const buckets = createExpiryBuckets({ ...deps, starter });
  return createPings({
    ...deps,
    ...shared,
    counts: createPingCountStore(deps.collections.pingCounts),
    pings: createPingStore(deps.collections.pings),
    tokens: deps.pingTokens,
    validMs: deps.config.ping.validMs,
    onStored: (expiresAt) => buckets.stored(expiresAt),
  });
}

/** Listens, by HTTPS where there is a certificate, and follows its renewals. */
async function openServer(app: ReturnType<typeof createApp>, { config, log }: Deps) {
  const { host, port, tls, trustProxy, stopDelayMs } = config;
  const certificate = tls ? await readCertificate(tls) : undefined;
  const perClient = trustProxy ? undefined : CONNECTIONS_PER_CLIENT;
  const server = await listen(app, { host, port, certificate, perClient });
  const renewal =
    tls && certificate
      ? watchCertificate({
          files: tls,
          current: certificate,
          log,
          use: (next) => server.useCertificate(next),
        })
      : null;
  return {
    url: server.url,
    renew: async (): Promise<void> => renewal?.look(),
    close: (): Promise<void> => {
      renewal?.stop();
      return server.close(GRACE_MS, stopDelayMs);
    },
  };
}
