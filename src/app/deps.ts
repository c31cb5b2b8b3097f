/** Builds what every role shares, once per process, and closes it in order. */
import { Client, type ConnectionLike } from '@temporalio/client';
import type { ActivityDeps } from '../../activities/index.js';
import { createPingTokens, type PingTokens } from '../platform/security/pingTokens.js';
import { createKeyring, pingKeyOf } from '../platform/security/seal.js';
import { createBackground, type Background } from '../lib/background.js';
import type { Config } from './config.js';
import { announce, tellLeads, type AnnounceDeps } from '../automations/announce.js';
import { createTeller, type Teller } from '../automations/teller.js';
import { createOutboundHttp, type OutboundHttp } from '../platform/outbound/http.js';
import { createNames, type Names } from '../platform/outbound/names/names.js';
import type { Mail } from '../platform/outbound/mail/mail.js';
import { readServiceAccount } from '../platform/outbound/sheets/credentials.js';
import { createSheets } from '../platform/outbound/sheets/sheets.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../platform/metrics.js';
import { capStore } from '../routing/store/caps.js';
import { claimStore } from '../leads/store/claims.js';
import { connectStore, type Store } from './database.js';
import { deliveryStore } from '../deliveries/store/deliveries.js';
import { destinationStore } from '../deliveries/store/destinations.js';
import { commandStore } from '../distribution/store/commands.js';
import { endpointStore } from '../automations/store/endpoints.js';
import { eventDeliveryStore } from '../automations/store/eventDeliveries.js';
import { eventStore } from '../deliveries/store/destinationEvents.js';
import { eventWants, type EventWants } from '../events/store/eventWants.js';
import { ensureIndexes } from './ensureIndexes.js';
import { leadStore, type LeadNews } from '../leads/store/leads.js';
import { turnStore } from '../routing/store/turns.js';
import { createSaleChanges, type SaleChangeService } from '../outcomes/service.js';
import { outcomeStore } from '../outcomes/store/outcomes.js';
import { soldLeadStore } from '../leads/store/soldLeads.js';
import { planStore } from '../account/store/plans.js';
import { repairStore, type RepairStore } from '../platform/mongo/repairs.js';
import { queueStore } from '../deliveries/store/queue.js';
import { serverClock, type ServerClock } from '../platform/mongo/serverClock.js';
import { suppressionStore } from '../account/store/suppressions.js';
import { createRedistribute } from '../outcomes/resale/redistribute.js';
import type { Redistribute } from '../outcomes/resale/types.js';
import { createReturns } from '../outcomes/returns/service.js';
import type { Returns } from '../outcomes/returns/types.js';
import { mailDoors, type MailDoors } from './doors.js';
import { sheetOwners } from '../account/store/spreadsheets.js';
import { taskQueues, type TaskQueues } from '../platform/temporal/names.js';
import { createExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import { expiryStarter } from '../platform/temporal/expiryStarter.js';
import { outcomeStarter } from '../outcomes/outcomeStarter.js';
import { leadStarter } from '../distribution/starters.js';
import { wakeDestinations, wakeEndpoints } from '../deliveries/destinations/wake.js';

/** Where the servers are, and the secret of this installation. */
export interface StackAddresses {
  mongodbUri: string;
  temporalAddress: string;
  temporalNamespace: string;
  secret: string;
}

export interface Deps extends ActivityDeps, MailDoors {
  config: Config;
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
  teller: Teller;
  eventWants: EventWants;
  redistribute: Redistribute;
  returns: Returns;
  /** The one road for changes of sold leads. */
  saleChanges: SaleChangeService;
  /** From now on no new batch of work is begun. */
  stop(): void;
  close(): Promise<void>;
}

/** Conversion windows close by the hour. */
const HOUR_MS = 3_600_000;

/** What a process has before it has a store. */
interface Surroundings {
  config: Config;
  stack: StackAddresses;
  log: Log;
  metrics: Metrics;
  /** To Temporal; whoever opened it closes it. */
  connection: ConnectionLike;
}

export async function createDeps(surroundings: Surroundings): Promise<Deps> {
  const { config, stack, metrics } = surroundings;
  const database = { uri: stack.mongodbUri, database: config.mongodbDatabase };
  const preparing = await prepareDatabase(database, surroundings.log);
  const onCommand = (command: string, collection: string) =>
    metrics.mongodbCommands.inc({ command, collection });
  const store = await connectStore({ ...database, onCommand });
  let clock: ServerClock | undefined;
  try {
    clock = await serverClock(store.client);
    const names = createNames();
    const mail = config.smtp ? await openMail(config.smtp, names) : null;
    const deps = assemble({ ...surroundings, store, names, mail, clock });
    return { ...deps, close: () => Promise.all([deps.close(), preparing.stop()]).then(() => {}) };
  } catch (error) {
    await preparing.stop();
    clock?.close();
    await store.close();
    throw error;
  }
}

/** Over many leads the indexes of their lists are made while the process serves; `stop` leaves them to the server. */
async function prepareDatabase(
  database: { uri: string; database: string },
  log: Log,
): Promise<{ stop: () => Promise<void> }> {
  const patient = await connectStore({ ...database, patient: true });
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    return patient.close();
  };
  try {
    const { inBackground } = await ensureIndexes(patient.db);
    void inBackground
      .catch((err: unknown) => {
        if (!isStopping)
          log.error({ err }, 'indexes of leads could not be made; the next start tries again');
      })
      .finally(stop);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An installation that sends no mail does not load what composes it: 6 MiB less in api and worker together. */
async function openMail(smtp: NonNullable<Config['smtp']>, { resolve }: Names): Promise<Mail> {
  const { createMail } = await import('../platform/outbound/mail/mail.js');
  return createMail({ ...smtp, resolve });
}

interface Parts extends Surroundings {
  store: Store;
  clock: ServerClock;
  names: Names;
  mail: Mail | null;
}

function assemble(parts: Parts): Deps {
  const { config, stack, log, metrics, store, clock, connection, names, mail } = parts;
  const { collections } = store;
  const namespace = stack.temporalNamespace;
  const client = new Client({ connection, namespace });
  const queues = taskQueues(config.taskQueuePrefix);
  const keyring = createKeyring(stack.secret);
  const starter = leadStarter(client, queues, log);
  const destinations = destinationStore(collections.destinations);
  const outbound = createOutboundHttp({
    allowPrivate: config.outboundAllowPrivate,
    resolve: names.resolve,
    onTlsTrouble: (reason) => metrics.tlsTroubles.inc({ reason }),
  });
  const { serviceAccountJson, sheetsEndpoint: endpoint } = config.google;
  const account = readServiceAccount(serviceAccountJson);
  const sheets = account ? createSheets({ account, outbound, endpoint }) : null;
  const background = createBackground();
  const plans = planStore(collections.plans);
  const deliveries = deliveryStore(collections.deliveries);
  const redistribute = createRedistribute({ collections, deliveries, plans, starter, clock, log });
  const { tokenKeys } = config.ping;
  const waking = { destinations, starter, clock, log };
  const announcing: AnnounceDeps = {
    ...{ collections, clock },
    wakeEndpoints: (ids, orgId) => background.add(wakeEndpoints(ids, orgId, waking)),
  };
  const teller = createTeller({
    ...{ background, log },
    move: (leadIds) => tellLeads(leadIds, announcing),
  });
  const wants = eventWants(collections.eventWants, () => clock.now());
  const news: LeadNews = {
    wants: (orgIds) => wants.read(orgIds),
    tell: (leadIds) => teller.tell(leadIds),
  };
  const outcomes = outcomeStore(collections.outcomes);
  const changeStarter = outcomeStarter(client, queues);
  const saleChanges = createSaleChanges({ outcomes, outcomeStarter: changeStarter, clock, log });
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
    sheetOwners: sheetOwners(collections),
    ...mailDoors({ config, metrics, collections, secret: stack.secret }),
    log,
    clock,
    starter,
    destinations,
    wakeEndpoints: (ids, orgId) => announcing.wakeEndpoints(ids, orgId),
    teller,
    eventWants: wants,
    announce: (events) => announce(events, announcing),
    leads: leadStore(collections.leads, news),
    deliveries,
    queue: queueStore(collections.deliveries),
    commands: commandStore(collections.commands),
    events: eventStore(collections.events, collections.destinations, (events) =>
      announce(events, announcing),
    ),
    endpoints: endpointStore(collections.automations),
    eventDeliveries: eventDeliveryStore(collections.eventDeliveries),
    caps: capStore(collections.caps),
    turns: turnStore(collections.turns),
    claims: claimStore(collections),
    plans,
    redistribute,
    returns: createReturns({
      ...{ collections, deliveries, clock, log, redistribute },
      changes: saleChanges,
    }),
    suppressions: suppressionStore(collections, keyring),
    outcomes,
    repairs: repairStore(store.db),
    soldLeads: soldLeadStore(collections.leads, news),
    outcomeStarter: changeStarter,
    saleChanges,
    outcomeWindows: createExpiryBuckets({
      ...{ starter: expiryStarter(client, queues, 'outcome'), clock, background, log },
      ...{ what: 'conversion windows', bucketMs: HOUR_MS },
    }),
    keyring,
    pingTokens: createPingTokens({
      keys: tokenKeys.length > 0 ? tokenKeys : [pingKeyOf(stack.secret)],
      now: () => clock.now(),
    }),
    metrics,
    background,
    softLimitMs: config.intake.softLimitMs,
    wake: (buyerIds, orgId, { recovered } = { recovered: false }) => {
      background.add(wakeDestinations(buyerIds, orgId, recovered, waking));
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
