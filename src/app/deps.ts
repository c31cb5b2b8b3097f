/** Builds what every role shares, once per process, and closes it in order. */
import { Client, type ConnectionLike } from '@temporalio/client';
import type { ActivityDeps } from '../../activities/index.js';
import type { ProcessResult } from '../../workflows/messages.js';
import { createPingTokens, type PingTokens } from '../platform/security/pingTokens.js';
import { createProofs, type Proofs } from '../funnels/submit/proof.js';
import { createFunnelTokens, type FunnelTokens } from '../funnels/submit/token.js';
import { createKeyring, funnelKeyOf, pingKeyOf } from '../platform/security/seal.js';
import { createBackground, type Background } from '../lib/background.js';
import { createChanges, type Changes } from './changes.js';
import type { Config } from './config.js';
import { publishEvents, relayLeads, type PublishDeps } from '../automations/publishEvents.js';
import { createOutboxRelay, type OutboxRelay } from '../automations/outboxRelay.js';
import { createOutboundHttp, type OutboundHttp } from '../platform/outbound/http.js';
import { createNames, type Names } from '../platform/outbound/names/names.js';
import type { Mail } from '../platform/outbound/mail/mail.js';
import { readServiceAccount } from '../platform/outbound/sheets/credentials.js';
import { createSheets } from '../platform/outbound/sheets/sheets.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../platform/metrics.js';
import { createCapStore } from '../routing/store/caps.js';
import { createClaimStore } from '../leads/store/claims.js';
import { connectStore, type Store } from './database.js';
import { createDeliveryStore } from '../deliveries/store/deliveries.js';
import { createDestinationStore } from '../deliveries/store/destinations.js';
import { createCommandStore } from '../distribution/store/commands.js';
import { createAutomationStore } from '../automations/store/automations.js';
import { createEventDeliveryStore } from '../automations/store/eventDeliveries.js';
import { createEventStore } from '../deliveries/store/destinationEvents.js';
import { createSubscriptionStore, type SubscriptionStore } from '../events/store/subscriptions.js';
import { createLeadStore, type LeadOutbox } from '../leads/store/leads.js';
import { createTurnStore } from '../routing/store/turns.js';
import { createPlanStore } from '../account/store/plans.js';
import { createRepairStore, type RepairStore } from '../platform/mongo/repairs.js';
import { createQueueStore } from '../deliveries/store/queue.js';
import { createServerClock, type ServerClock } from '../platform/mongo/serverClock.js';
import { createSuppressionStore } from '../account/store/suppressions.js';
import { createRedistribute } from '../outcomes/resale/redistribute.js';
import type { Redistribute } from '../leads/rules/resale.js';
import { createReturns, type Returns } from '../outcomes/returns/service.js';
import { outboundPolicy } from './outboundPolicy.js';
import { createMailGuards, type MailGuards } from './mailGuards.js';
import { createSheetOwners } from '../account/store/spreadsheets.js';
import { createLocalRuns, type LocalRuns } from '../platform/temporal/localRuns.js';
import { taskQueues, type TaskQueues } from '../platform/temporal/names.js';
import { createExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import { createExpiryStarter } from '../platform/temporal/expiryStarter.js';
import { createLeadStarter } from '../distribution/starters.js';
import { wakeDestinations, wakeAutomations } from '../deliveries/destinations/wake.js';
import type { ReconcileDeps } from './reconcile.js';
import { prepareDatabase } from './ensureIndexes.js';
import type { Role } from './role.js';

/** The addresses of the servers, and the secret of this installation. */
export interface StackAddresses {
  mongodbUri: string;
  temporalAddress: string;
  temporalNamespace: string;
  secret: string;
}

export interface Deps extends ActivityDeps, ReconcileDeps, Changes, MailGuards {
  config: Config;
  clock: ServerClock;
  log: Log;
  store: Store;
  collections: Store['collections'];
  namespace: string;
  client: Client;
  queues: TaskQueues;
  outbound: OutboundHttp;
  repairs: RepairStore;
  metrics: Metrics;
  background: Background;
  pingTokens: PingTokens;
  funnelTokens: FunnelTokens;
  funnelProofs: Proofs;
  outboxRelay: OutboxRelay;
  /** Groups of leads that this process decides, and whose activities have not begun. */
  localRuns: LocalRuns<ProcessResult>;
  subscriptions: SubscriptionStore;
  redistribute: Redistribute;
  returns: Returns;
  /** From this call on the process begins no new batch of work. */
  stop(): void;
  close(): Promise<void>;
}

/** Conversion windows close by the hour. */
const HOUR_MS = 3_600_000;

/** What a process has before it connects to the database. */
interface DepsInput {
  config: Config;
  role: Role;
  stack: StackAddresses;
  log: Log;
  metrics: Metrics;
  /** To Temporal; the code that opened it closes it. */
  connection: ConnectionLike;
}

/**
 * Connects to MongoDB, prepares the database, and builds what every role uses. Closes what it has opened
 * before it throws.
 * @throws {Error} when MongoDB is not available or not a replica set, or a setting cannot be used
 */
export async function createDeps(input: DepsInput): Promise<Deps> {
  const { config, stack, metrics } = input;
  const database = { uri: stack.mongodbUri, database: config.mongodbDatabase };
  const preparing = await prepareDatabase(database, input.log);
  const onCommand = (command: string, collection: string) =>
    metrics.mongodbCommands.inc({ command, collection });
  const store = await connectStore({ ...database, onCommand });
  let clock: ServerClock | undefined;
  try {
    clock = await createServerClock(store.client);
    const names = createNames();
    const mail = config.smtp ? await openMail(config.smtp, names) : null;
    const deps = assemble({ ...input, store, names, mail, clock });
    return { ...deps, close: () => Promise.all([deps.close(), preparing.stop()]).then(() => {}) };
  } catch (error) {
    await preparing.stop();
    clock?.close();
    await store.close();
    throw error;
  }
}

/** An installation that sends no mail does not load what composes it: 6 MiB less in api and worker together. */
async function openMail(smtp: NonNullable<Config['smtp']>, { resolve }: Names): Promise<Mail> {
  const { createMail } = await import('../platform/outbound/mail/mail.js');
  return createMail({ ...smtp, resolve });
}

interface Parts extends DepsInput {
  store: Store;
  clock: ServerClock;
  names: Names;
  mail: Mail | null;
}

function assemble(parts: Parts): Deps {
  const { config, role, stack, log, metrics, store, clock, connection, names, mail } = parts;
  const { collections } = store;
  const namespace = stack.temporalNamespace;
  const client = new Client({ connection, namespace });
  const queues = taskQueues(config.taskQueuePrefix);
  const keyring = createKeyring(stack.secret);
  const starter = createLeadStarter(client, queues, log);
  const destinations = createDestinationStore(collections.destinations);
  const outbound = createOutboundHttp({
    allowPrivate: config.outboundAllowPrivate,
    resolve: names.resolve,
    onTlsTrouble: (reason) => metrics.tlsTroubles.inc({ reason }),
  });
  const { serviceAccountJson, sheetsEndpoint: endpoint } = config.google;
  const account = readServiceAccount(serviceAccountJson);
  const sheets = account ? createSheets({ account, outbound, endpoint }) : null;
  const background = createBackground();
  const plans = createPlanStore(collections.plans);
  const deliveries = createDeliveryStore(collections.deliveries);
  const redistribute = createRedistribute({ collections, deliveries, plans, starter, clock, log });
  const { tokenKeys } = config.ping;
  const waking = { destinations, starter, clock, log };
  const publishing: PublishDeps = {
    collections,
    clock,
    wakeAutomations: (ids, orgId) => background.add(wakeAutomations(ids, orgId, waking)),
  };
  const outboxRelay = createOutboxRelay({
    background,
    log,
    move: (leadIds) => relayLeads(leadIds, publishing),
  });
  const subscriptions = createSubscriptionStore(collections.eventWants, () => clock.now());
  const outbox: LeadOutbox = {
    readSubscriptions: (orgIds) => subscriptions.read(orgIds),
    relay: (leadIds) => outboxRelay.relay(leadIds),
  };
  const changes = createChanges({ role, collections, client, queues, outbox, plans, clock, log });
  let stopping = false;
  return {
    config,
    store,
    collections,
    namespace,
    client,
    queues,
    outbound,
    mail,
    sheets,
    sheetOwners: createSheetOwners(collections),
    ...createMailGuards({ config, metrics, collections, secret: stack.secret }),
    log,
    clock,
    starter,
    localRuns: createLocalRuns(),
    ...changes,
    destinations,
    wakeAutomations: (ids, orgId) => publishing.wakeAutomations(ids, orgId),
    outboxRelay,
    subscriptions,
    publishEvents: (events) => publishEvents(events, publishing),
    leads: createLeadStore(collections.leads, outbox),
    deliveries,
    queue: createQueueStore(collections.deliveries),
    commands: createCommandStore(collections.commands),
    events: createEventStore(collections.events, collections.destinations, (events) =>
      publishEvents(events, publishing),
    ),
    automations: createAutomationStore(collections.automations),
    eventDeliveries: createEventDeliveryStore(collections.eventDeliveries),
    caps: createCapStore(collections.caps),
    turns: createTurnStore(collections.turns),
    claims: createClaimStore(collections),
    plans,
    redistribute,
    returns: createReturns({
      collections,
      deliveries,
      clock,
      log,
      redistribute,
      changes: changes.saleChanges,
    }),
    suppressions: createSuppressionStore(collections, keyring),
    repairs: createRepairStore(store.db),
    conversionWindows: createExpiryBuckets({
      starter: createExpiryStarter(client, queues, 'outcome'),
      clock,
      background,
      log,
      what: 'conversion windows',
      bucketMs: HOUR_MS,
    }),
    keyring,
    policy: outboundPolicy(config),
    pingTokens: createPingTokens({
      keys: tokenKeys.length > 0 ? tokenKeys : [pingKeyOf(stack.secret)],
      now: () => clock.now(),
    }),
    funnelProofs: createProofs(funnelKeyOf(stack.secret)),
    funnelTokens: createFunnelTokens({ key: funnelKeyOf(stack.secret), clock }),
    metrics,
    background,
    softLimitMs: config.intake.softLimitMs,
    wake: (buyerIds, orgId, { recovered } = { recovered: false }) => {
      background.add(wakeDestinations(buyerIds, { orgId, recovered }, waking));
    },
    stopping: () => stopping,
    stop() {
      stopping = true;
    },
    async close() {
      await mail?.close();
      await outbound.close();
      names.close();
      clock.close();
      await store.close();
    },
  };
}
