/** Builds what every role shares, once per process, and closes it in order. */
import { Client, type ConnectionLike } from '@temporalio/client';
import type { ProcessResult } from '../../workflows/messages.js';
import { createPingTokens } from '../platform/security/pingTokens.js';
import { createProofs } from '../funnels/submit/proof.js';
import { createFunnelTokens } from '../funnels/submit/token.js';
import { createKeyring, funnelKeyOf, mailKeyOf, pingKeyOf } from '../platform/security/seal.js';
import { createBackground } from '../lib/background.js';
import { createChanges } from './changes.js';
import type { Config } from './config.js';
import { publishEvents, relayLeads, type PublishDeps } from '../automations/publishEvents.js';
import { createOutboxRelay } from '../automations/outboxRelay.js';
import { createOutboundHttp } from '../platform/outbound/http.js';
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
import { createSubscriptionStore } from '../events/store/subscriptions.js';
import { createLeadStore, type LeadOutbox } from '../leads/store/leads.js';
import { createTurnStore } from '../routing/store/turns.js';
import { createPlanStore } from '../account/store/plans.js';
import { createRepairStore } from '../platform/mongo/repairs.js';
import { createQueueStore } from '../deliveries/store/queue.js';
import { createServerClock, type ServerClock } from '../platform/mongo/serverClock.js';
import { createSuppressionStore } from '../account/store/suppressions.js';
import { createRedistribute } from '../outcomes/resale/redistribute.js';
import { createReturns } from '../outcomes/returns/service.js';
import { outboundPolicy } from './outboundPolicy.js';
import { createMailRecipientStore } from '../account/store/mailRecipients.js';
import { createMailGate } from '../deliveries/recipients/gate.js';
import { createSheetOwners } from '../account/store/spreadsheets.js';
import { createLocalRuns } from '../platform/temporal/localRuns.js';
import { taskQueues } from '../platform/temporal/names.js';
import { createExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import { createExpiryStarter } from '../platform/temporal/expiryStarter.js';
import { createLeadStarter } from '../distribution/starters.js';
import { temporalLink } from '../platform/temporal/workflowLink.js';
import { wakeDestinations, wakeAutomations } from '../deliveries/destinations/wake.js';
import { prepareDatabase } from './ensureIndexes.js';
import type { Role } from './role.js';

/** The addresses of the servers, and the secret of this installation. */
export interface StackAddresses {
  mongodbUri: string;
  temporalAddress: string;
  temporalNamespace: string;
  secret: string;
}

export type Deps = ReturnType<typeof assemble>;

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
  const store = await connectStore({ ...database, onCommand, pool: metrics.pool });
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

function assemble(parts: Parts) {
  const { config, role, stack, log, metrics, store, clock, connection, names, mail } = parts;
  const { collections } = store;
  const namespace = stack.temporalNamespace;
  const client = new Client({ connection, namespace });
  const queues = taskQueues(config.taskQueuePrefix);
  const { temporalUiUrl: uiUrl } = config;
  const keyring = createKeyring(stack.secret);
  const starter = createLeadStarter(client, queues, log, async (id, kind) => {
    const { automations, buyers } = collections;
    const projection = { name: 1 };
    const found = kind
      ? await automations.findOne({ _id: id }, { projection })
      : await buyers.findOne({ _id: id }, { projection });
    return found?.name ?? null;
  });
  const destinations = createDestinationStore(collections.destinations);
  const outbound = createOutboundHttp({
    allowPrivate: config.outboundAllowPrivate,
    resolve: names.resolve,
    onTlsTrouble: (reason) => metrics.tlsTroubles.inc({ reason }),
  });
  const { serviceAccountJson, sheetsEndpoint: endpoint } = config.google;
  const account = readServiceAccount(serviceAccountJson);
  const sheets = account ? createSheets({ account, outbound, endpoint }) : null;
  const mailRecipients = createMailRecipientStore(collections.mailRecipients);
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
  const publish = (events: Parameters<typeof publishEvents>[0]) =>
    publishEvents(events, publishing);
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
    mailRecipients,
    mailGate: createMailGate({
      recipients: mailRecipients,
      rates: collections.rates,
      allowedDomains: config.mail.allowedDomains,
      perDay: config.mail.perOrgPerDay,
      onLimit: () => metrics.mailsHeld.inc(),
    }),
    /** Signs the links by which recipients of mails confirm. */
    workflowUrl: (leadId: string) => (uiUrl ? temporalLink(uiUrl, namespace, leadId) : null),
    mailKey: mailKeyOf(stack.secret),
    log,
    clock,
    starter,
    /** Groups of leads that this process decides, and whose activities have not begun. */
    localRuns: createLocalRuns<ProcessResult>(),
    ...changes,
    destinations,
    wakeAutomations: publishing.wakeAutomations,
    outboxRelay,
    subscriptions,
    publishEvents: publish,
    leads: createLeadStore(collections.leads, outbox),
    deliveries,
    queue: createQueueStore(collections.deliveries),
    commands: createCommandStore(collections.commands),
    events: createEventStore(collections.events, collections.destinations, publish),
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
    wake: (buyerIds: readonly string[], orgId: string, { recovered } = { recovered: false }) =>
      background.add(wakeDestinations(buyerIds, { orgId, recovered }, waking)),
    stopping: () => stopping,
    /** From this call on the process begins no new batch of work. */
    stop: (): void => {
      stopping = true;
    },
    close: async (): Promise<void> => {
      await mail?.close();
      await outbound.close();
      names.close();
      clock.close();
      await store.close();
    },
  };
}
