/** The way of an event on a testbed without a service, step by step: stored with its lead, relayed, sent. */
import { createTimeBudget } from '../../activities/timeBudget.js';
import type { AutomationDoc } from '../../src/account/store/automationDocs.js';
import { createSheetOwners } from '../../src/account/store/spreadsheets.js';
import type { Collections } from '../../src/app/database.js';
import {
  drainAutomation,
  type AutomationDrainDeps,
} from '../../src/automations/drainAutomation.js';
import { relayLeads, type PublishDeps } from '../../src/automations/publishEvents.js';
import { createAutomationStore } from '../../src/automations/store/automations.js';
import { createEventDeliveryStore } from '../../src/automations/store/eventDeliveries.js';
import { createDestinationStore } from '../../src/deliveries/store/destinations.js';
import type { EventType } from '../../src/events/rules/events.js';
import { createSubscriptionStore } from '../../src/events/store/subscriptions.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createLeadStore, type LeadStore } from '../../src/leads/store/leads.js';
import { systemClock } from '../../src/lib/clock.js';
import { createLog } from '../../src/lib/log.js';
import { createOutboundHttp } from '../../src/platform/outbound/http.js';
import { aLead, NOW } from '../support/storedRows.js';
import type { Testbed } from '../support/testbed.js';
import { anAutomation } from './anAutomation.js';

/** No mail is delayed. */
const OPEN_GATE: AutomationDrainDeps['mailGate'] = {
  unconfirmed: () => Promise.resolve([]),
  draw: () => Promise.resolve({ allowed: true }),
  giveBack: () => Promise.resolve(),
};

const UNSENT = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 } as const;

/** The stores of one process. */
export const storesOf = (collections: Collections) => ({
  destinations: createDestinationStore(collections.destinations),
  automations: createAutomationStore(collections.automations),
  eventDeliveries: createEventDeliveryStore(collections.eventDeliveries),
});

export interface EventFlow {
  /** The dependencies of activities and the outbox relay; their clock is set by hand. */
  deps: AutomationDrainDeps;
  /** Ids of automations that were woken. */
  woken: string[];
  leads: LeadStore;
  /** Advances the clock, by milliseconds. */
  pass(ms: number): void;
  now(): Date;
  /** Stores subscriptions, as creating automations does. */
  subscribe(types: EventType[], orgId?: string): Promise<void>;
  /** Creates the automation `a`, which sends to the server of the testbed. */
  automate(overrides?: Partial<AutomationDoc>): Promise<void>;
  /** Leads with `events` pending events of one type each. */
  insertLeads(ids: string[], type: EventType, events?: number, lead?: Partial<Lead>): Promise<void>;
  relay(leadIds: readonly string[], deps?: PublishDeps): Promise<number>;
  drain(automationId: string, deps?: AutomationDrainDeps): ReturnType<typeof drainAutomation>;
  /** Ends cooldowns and backoffs. */
  endWaits(): Promise<void>;
  /** Removes all leads, events, automations and requests; the clock stays as it is. */
  reset(): Promise<void>;
}

export function createEventFlow(testbed: Testbed): EventFlow {
  const { collections, keyring, buyers } = testbed;
  const outbound = createOutboundHttp({ allowPrivate: true });
  testbed.onStop(() => outbound.close());
  const woken: string[] = [];
  let passed = 0;
  const now = () => new Date(Number(NOW) + passed);
  const deps: AutomationDrainDeps = {
    collections,
    outbound,
    keyring,
    mail: null,
    mailGate: OPEN_GATE,
    sheets: null,
    sheetOwners: createSheetOwners(collections),
    redistribute: null,
    clock: { ...systemClock, now, random: () => 0.5 },
    log: createLog('silent', 'test'),
    ...storesOf(collections),
    wakeAutomations: (ids) => void woken.push(...ids),
    metrics: { eventAttempts: { inc: () => undefined } },
    stopping: () => false,
    lingerMs: 0,
  };
  const subscriptions = createSubscriptionStore(collections.eventWants);
  return {
    deps,
    woken,
    leads: createLeadStore(collections.leads, {
      readSubscriptions: (orgIds) => subscriptions.read(orgIds),
      relay: () => undefined,
    }),
    pass: (ms) => (passed += ms),
    now,
    async subscribe(types, orgId = 'org') {
      await collections.eventWants.replaceOne({ _id: orgId }, { types }, { upsert: true });
    },
    async automate(overrides = {}) {
      const url = `${buyers.url}/hook`;
      await collections.automations.insertOne(anAutomation({ _id: 'a', url, ...overrides }));
    },
    async insertLeads(ids, type, events = 1, lead = {}) {
      const untold = Array.from({ length: events }, (_, n) => ({
        n: n + 1,
        type,
        at: now(),
        data: { status: 'ACCEPTED', ...UNSENT },
      })) as NonNullable<Lead['untold']>;
      await collections.leads.insertMany(
        ids.map((_id) => aLead({ _id, status: 'ACCEPTED', ...lead, event_seq: events, untold })),
      );
    },
    relay: (leadIds, given = deps) => relayLeads(leadIds, given),
    drain: (automationId, given = deps) =>
      drainAutomation(automationId, createTimeBudget(given), given),
    async endWaits() {
      await Promise.all([
        collections.destinations.updateMany({}, { $set: { open_until: null, retry_at: null } }),
        collections.eventDeliveries.updateMany({ state: 'waiting' }, { $set: { due_at: now() } }),
      ]);
    },
    async reset() {
      const { leads, events, eventWants, automations, eventDeliveries, destinations } = collections;
      const used = [leads, events, eventWants, automations, eventDeliveries, destinations];
      await Promise.all(used.map((one) => one.deleteMany({})));
      woken.length = 0;
      buyers.reset();
    },
  };
}

export const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `lead-${n}`);
