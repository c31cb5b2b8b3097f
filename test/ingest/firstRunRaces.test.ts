/**
 * Leads whose process decides them, in races with what else may happen to them: their workflow cannot be started or is run
 * by another process, their insertion takes effect late, other requests with their key come.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { createLeadStore, type LeadStore } from '../../src/leads/store/leads.js';
import type { IngestAnswer } from '../../src/ingest/types.js';
import { AppError } from '../../src/lib/errors.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { accountOf } from '../support/org.js';
import { aPing } from '../support/pings.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { intakeBed, type IntakeBed, type IntakeBedOptions } from './intakeBed.js';

const MINUTE_MS = 60_000;
/** So long on its way already that the test need not wait for its whole time. */
const AGO_MS = 1_500;
const KINDS = ['plain', 'keyed', 'pinged'] as const;
type Kind = (typeof KINDS)[number];
type StartHere = NonNullable<IntakeBedOptions['here']>['startHere'];

let service: ServiceBed;
let store: LeadStore;
const accounts = {} as Record<Kind, TestAccount>;
const beds: IntakeBed[] = [];

beforeAll(async () => {
  service = await startServiceBed();
  store = createLeadStore(service.collections.leads);
  accounts.plain = await createAccount(service, { buyers: {} });
  accounts.keyed = accounts.plain;
  accounts.pinged = await createAccount(service, {
    buyers: {},
    campaign: { routing_method: 'PING_POST' },
  });
});
afterAll(async () => {
  beds.forEach((one) => one.close());
  await service.stop();
});

let requests = 0;
beforeEach(() => {
  requests += 1;
});

const openBed = (kind: Kind, startHere: StartHere, options: IntakeBedOptions = {}) => {
  const bed = intakeBed(service, accounts[kind], { here: { startHere }, ...options });
  beds.push(bed);
  return bed;
};

/** One request; the same again on another bed is the same request, of the same key. */
async function aRequest(kind: Kind) {
  const ping =
    kind === 'pinged'
      ? await aPing(service, accounts.pinged, { bidders: { b: { price: 2, bid: 1 } } })
      : undefined;
  const { email } = aPerson();
  const person = { ...aPerson(), email, ...ping?.body };
  const key = kind === 'keyed' ? `key ${requests}` : undefined;
  const send = (bed: IntakeBed, agoMs = 0): Promise<unknown> =>
    bed.submit(key, person, undefined, undefined, agoMs).then(
      ({ status, data }: IngestAnswer) => ({ status, data }),
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  const leads = () =>
    service.collections.leads.find({ 'fields.email': email }).sort({ _id: 1 }).toArray();
  const pingState = async () =>
    ping && (await service.collections.pings.findOne({ _id: ping.id }))?.state;
  return { send, leads, pingState };
}

const UNMATCHED = { status: 200, data: expect.objectContaining({ status: 'UNMATCHED' }) };
const started: StartHere = () => Promise.resolve();

/** Another process runs the workflow: it acquires the lead when it finds it, and decides it. */
async function runElsewhere(leads: readonly { _id: string }[]): Promise<void> {
  const ids = leads.map(({ _id }) => _id);
  const isAcquired = async () => {
    const now = new Date();
    const until = new Date(Number(now) + MINUTE_MS);
    return (await store.acquire(ids, 'elsewhere', until, now)).some(
      ({ run }) => run === 'elsewhere',
    );
  };
  await waitFor(isAcquired, { message: 'the other run acquires the lead' });
  const set = { status: 'UNMATCHED' as const, reason: 'no_buyer' as const, trail: [] };
  await store.decide(
    'elsewhere',
    ids.map((leadId) => ({ leadId, ...set })),
    new Date(),
  );
}

describe.each(KINDS)('a %s lead that its process decides', (kind) => {
  it('is decided there, once its workflow is started', async () => {
    const request = await aRequest(kind);
    expect(await request.send(openBed(kind, started))).toEqual(UNMATCHED);
    expect(await request.leads()).toMatchObject([{ status: 'UNMATCHED', takes: 1 }]);
  });

  it('is refused when its workflow cannot be started, and accepted when it is sent again', async () => {
    const request = await aRequest(kind);
    const away: StartHere = () => Promise.reject(new Error('Temporal is away'));
    expect(await request.send(openBed(kind, away))).toBe('unavailable');
    expect(await request.leads()).toMatchObject([{ status: 'WITHDRAWN', run: null }]);
    expect(await request.send(openBed(kind, started))).toEqual(UNMATCHED);
    expect((await request.leads()).map(({ status }) => status)).toEqual(['WITHDRAWN', 'UNMATCHED']);
  });

  it('stays refused when its insertion takes effect after that, also for another process with its workflow', async () => {
    const request = await aRequest(kind);
    const late = Promise.withResolvers<null>();
    let inserting: Promise<void> | undefined;
    const insert: LeadStore['insert'] = (leads) =>
      (inserting = late.promise.then(() => store.insert(leads)));
    expect(await request.send(openBed(kind, started, { leads: { insert } }), AGO_MS)).toBe(
      'unavailable',
    );
    late.resolve(null);
    await inserting;
    const [lead] = await request.leads();
    expect(lead).toMatchObject({ status: 'WITHDRAWN', run: null });
    const until = new Date(Date.now() + MINUTE_MS);
    const found = await store.acquire([lead?._id ?? ''], 'elsewhere', until, new Date());
    expect(found).toMatchObject([{ status: 'WITHDRAWN', run: null }]);
  });

  it('is refused when its start is unknown and no process has it, and its workflow finds it withdrawn', async () => {
    const request = await aRequest(kind);
    const hangs: StartHere = () => new Promise(() => undefined);
    expect(await request.send(openBed(kind, hangs), AGO_MS)).toBe('unavailable');
    expect(await request.leads()).toMatchObject([{ status: 'WITHDRAWN', run: null }]);
  });
});

describe.each(['keyed', 'pinged'] as const)(
  'a %s lead whose workflow another process runs',
  (kind) => {
    it.each([
      ['is confirmed', () => Promise.resolve()],
      ['is never confirmed', () => new Promise<void>(() => undefined)],
      ['fails', () => Promise.reject(new Error('The answer was lost'))],
    ])('gets the decision of that process when the start %s', async (_, confirm) => {
      const request = await aRequest(kind);
      const pings: unknown[] = [];
      const startHere: StartHere = async (leads) => {
        await runElsewhere(leads);
        pings.push(await request.pingState());
        await confirm();
      };
      expect(await request.send(openBed(kind, startHere), AGO_MS)).toEqual(UNMATCHED);
      expect(await request.leads()).toMatchObject([{ status: 'UNMATCHED', takes: 1 }]);
      expect(pings).toEqual([kind === 'pinged' ? 'redeemed' : undefined]);
    });
  },
);

describe('a plain lead whose workflow another process runs', () => {
  it('is left to its own process, which has the lease', async () => {
    const request = await aRequest('plain');
    let found: unknown;
    const startHere: StartHere = async (leads) => {
      const ids = leads.map(({ _id }) => _id);
      await waitFor(async () => (await store.getMany(ids)).size > 0, { message: 'it is stored' });
      found = await store.acquire(ids, 'elsewhere', new Date(Date.now() + MINUTE_MS), new Date());
    };
    expect(await request.send(openBed('plain', startHere))).toEqual(UNMATCHED);
    expect(found).toMatchObject([{ run: expect.not.stringMatching('elsewhere'), takes: 1 }]);
  });
});

describe('a request with the key of a lead whose start hangs', () => {
  it('promises nothing before the workflow is started', async () => {
    const { orgId, campaignId } = accounts.keyed;
    await updateCampaign(accountOf(service, orgId), campaignId, { answer_within_ms: 300 });
    const request = await aRequest('keyed');
    const hangs: StartHere = () => new Promise(() => undefined);
    const first = request.send(openBed('keyed', hangs), 1_500);
    await waitFor(async () => (await request.leads()).length > 0, { message: 'it is stored' });
    const second = request.send(openBed('keyed', started));
    expect(await first).toBe('unavailable');
    expect(await second).toBe('unavailable');
    expect(await request.leads()).toMatchObject([{ status: 'WITHDRAWN', run: null }]);
    expect((await request.leads())[0]).not.toHaveProperty('pending_at');
  });
});
