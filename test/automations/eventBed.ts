/** Automations on a test's database, a clock set by hand, and everything that publishes events. */
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { startFakeBuyer, type FakeBuyer } from '../support/fakeBuyer.js';
import { randomUUID } from 'node:crypto';
import {
  drainAutomation,
  type AutomationDrainDeps,
} from '../../src/automations/drainAutomation.js';
import { createTimeBudget } from '../../activities/timeBudget.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { systemClock } from '../../src/lib/clock.js';
import type { EventType } from '../../src/events/rules/events.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { relayLeads, type PublishDeps } from '../../src/automations/publishEvents.js';
import { createOutboundHttp } from '../../src/platform/outbound/http.js';
import { createLog } from '../../src/lib/log.js';
import type { AutomationDoc } from '../../src/account/store/automationDocs.js';
import type { Collections } from '../../src/app/database.js';
import { createDestinationStore } from '../../src/deliveries/store/destinations.js';
import { createAutomationStore } from '../../src/automations/store/automations.js';
import { createSheetOwners } from '../../src/account/store/spreadsheets.js';
import { createEventDeliveryStore } from '../../src/automations/store/eventDeliveries.js';
import { createLeadStore, type LeadStore } from '../../src/leads/store/leads.js';
import { createSubscriptionStore } from '../../src/events/store/subscriptions.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { aLead, NOW } from '../support/storedRows.js';

export const keyring = createKeyring('a secret of 32 characters or more, for tests');
export const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cyE=';

/** No mail is delayed. */
const OPEN_GATE: AutomationDrainDeps['mailGate'] = {
  unconfirmed: () => Promise.resolve([]),
  draw: () => Promise.resolve({ allowed: true }),
  giveBack: () => Promise.resolve(),
};

const UNSENT = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 } as const;

/** A webhook for all accepted leads of `org`; `overrides` change it. */
export function anAutomation(
  overrides: Partial<AutomationDoc> & { url?: string } = {},
): AutomationDoc {
  const { url = 'http://127.0.0.1:1/', ...rest } = overrides;
  return {
    _id: randomUUID(),
    org_id: 'org',
    name: 'Told',
    trigger: 'lead.accepted',
    campaign_id: null,
    conditions: null,
    action: 'WEBHOOK',
    target: { url },
    secret: keyring.seal(SECRET),
    status: 'active',
    created_at: NOW,
    ...rest,
  } as AutomationDoc;
}

/** The stores of one process. */
export const storesOf = (collections: Collections) => ({
  destinations: createDestinationStore(collections.destinations),
  automations: createAutomationStore(collections.automations),
  eventDeliveries: createEventDeliveryStore(collections.eventDeliveries),
});

export interface EventBed {
  database: TestDatabase;
  collections: Collections;
  /** The dependencies of activities and the outbox relay; the clock is that of the bed. */
  deps: AutomationDrainDeps;
  /** Ids of automations that were woken. */
  woken: string[];
  leads: LeadStore;
  /** Advances the clock, by milliseconds. */
  pass(ms: number): void;
  now(): Date;
  /** Stores subscriptions, as creating automations does. */
  want(types: EventType[], orgId?: string): Promise<void>;
  /** Leads with `events` pending events of one type each. */
  withNews(ids: string[], type: EventType, events?: number, lead?: Partial<Lead>): Promise<void>;
  tell(leadIds: readonly string[], deps?: PublishDeps): Promise<number>;
  drain(automationId: string, deps?: AutomationDrainDeps): ReturnType<typeof drainAutomation>;
  /** Ends cooldowns and backoffs. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startEventBed(): Promise<EventBed> {
  const database = await openDatabase();
  const { collections } = database;
  const outbound = createOutboundHttp({ allowPrivate: true });
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
    database,
    collections,
    deps,
    woken,
    now,
    leads: createLeadStore(collections.leads, {
      readSubscriptions: (orgIds) => subscriptions.read(orgIds),
      relay: () => undefined,
    }),
    pass: (ms) => (passed += ms),
    async want(types, orgId = 'org') {
      await collections.eventWants.replaceOne({ _id: orgId }, { types }, { upsert: true });
    },
    async withNews(ids, type, events = 1, lead = {}) {
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
    tell: (leadIds, given = deps) => relayLeads(leadIds, given),
    drain: (automationId, given = deps) =>
      drainAutomation(automationId, createTimeBudget(given), given),
    async clear() {
      await Promise.all([
        collections.destinations.updateMany({}, { $set: { open_until: null, retry_at: null } }),
        collections.eventDeliveries.updateMany({ state: 'waiting' }, { $set: { due_at: now() } }),
      ]);
    },
    async close() {
      await outbound.close();
      await database.drop();
    },
  };
}

export interface EventFixture {
  bed: () => EventBed;
  /** A new one for each test: the target of the automation `a`. */
  receiver: () => FakeBuyer;
  /** Creates the automation `a`. */
  add: (overrides?: Partial<AutomationDoc>) => Promise<void>;
}

/** A bed for the tests of a file, empty before each, and a receiver of events. */
export function useEventBed(): EventFixture {
  let bed: EventBed;
  let receiver: FakeBuyer;
  beforeAll(async () => {
    bed = await startEventBed();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    receiver = await startFakeBuyer();
    const { leads, events, automations, eventDeliveries, destinations } = bed.collections;
    await Promise.all(
      [leads, events, automations, eventDeliveries, destinations].map((all) => all.deleteMany({})),
    );
    bed.woken.length = 0;
  });
  afterEach(() => receiver.stop());
  return {
    bed: () => bed,
    receiver: () => receiver,
    async add(overrides = {}) {
      const url = `${receiver.url}/hook`;
      await bed.collections.automations.insertOne(anAutomation({ _id: 'a', url, ...overrides }));
    },
  };
}

export const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `lead-${n}`);
