/** A process that dies, or meets others, at any step between a request and the start of its lead. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyring } from '../../src/platform/security/seal.js';
import { hashKey } from '../../src/platform/security/keys.js';
import { systemClock } from '../../src/lib/clock.js';
import { AppError } from '../../src/lib/errors.js';
import { requireSupplier } from '../../src/account/access/requirePartner.js';
import { createAdmission } from '../../src/ingest/admission.js';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createResponseLog } from '../../src/ingest/responseLog.js';
import { createGroupCommitter, type GroupCommitterDeps } from '../../src/ingest/commitGroup.js';
import { type IntakeItem } from '../../src/ingest/group.js';
import { createPingClaims } from '../../src/ingest/pingClaim.js';
import { createLog } from '../../src/lib/log.js';
import { createIdempotencyStore } from '../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { createPingRedemption } from '../../src/pings/store/pingRedemption.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createRemoteDecider } from '../../src/distribution/decideElsewhere.js';
import type { LeadStarter } from '../../src/distribution/starters.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import { openDatabase } from '../support/database.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { aPing, tokensOf } from '../support/pings.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

type Stores = Pick<GroupCommitterDeps, 'leads' | 'redemption' | 'idempotency'> & {
  starter: Pick<LeadStarter, 'decide'>;
};
type Wrap = (stores: Stores) => Stores;
type Ping = Awaited<ReturnType<typeof aPing>>;

const MINUTE = 60_000;
const keyring = createKeyring('a secret of 32 characters or more, for tests');

/** Stores of a process that dies with its n-th call: before it, or when it is done and its answer is in transit. */
function dying(call: number, how: 'before' | 'after'): { wrap: Wrap; isDead(): boolean } {
  let calls = 0;
  let dead = false;
  const wrapOne = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (of, name) => {
        const method = Reflect.get(of, name) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          const dies = !dead && ++calls === call;
          if (dead || (dies && how === 'before')) {
            dead = true;
            throw new Error('the process died here');
          }
          const result = await method(...args);
          if (!dies) return result;
          dead = true;
          throw new Error('the process died here');
        };
      },
    });
  return {
    wrap: ({ leads, redemption, idempotency, starter }) => ({
      leads: wrapOne(leads),
      redemption: wrapOne(redemption),
      idempotency: wrapOne(idempotency),
      starter: wrapOne(starter),
    }),
    isDead: () => dead,
  };
}

describe('redeeming a ping', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let account: TestAccount;
  beforeAll(async () => {
    database = await openDatabase();
    account = await createAccount(
      { ...database, keyring },
      { buyers: {}, campaign: { routing_method: 'PING_POST' } },
    );
  });
  afterAll(() => database.drop());

  const newPing = () =>
    aPing({ ...database, keyring }, account, { bidders: { b: { price: 2, bid: 1 } } });
  const leadsOf = ({ id }: Ping) =>
    database.collections.leads.find({ 'ping.ping_id': id }).toArray();
  const soldOf = async (ping: Ping) =>
    (await leadsOf(ping)).filter(({ status }) => status === 'ACCEPTED').map(({ _id }) => _id);

  /** A process of its own; its runs sell the leads that they acquire. */
  const process = (wrap: Wrap = (stores) => stores, laterMs = 0) => {
    const { collections } = database;
    const now = () => new Date(Date.now() + laterMs);
    const clock = { ...systemClock, now };
    const leads = createLeadStore(collections.leads);
    const decide = async (started: readonly { _id: string }[]): Promise<LeadVerdict[]> => {
      const run = randomUUID();
      const ids = started.map(({ _id }) => _id);
      const lease = new Date(Date.now() + MINUTE);
      const taken = (await leads.acquire(ids, run, lease, now())).filter((one) => one.run === run);
      const sale = { buyer_id: 'b', attempt: 1, price: 2, cost: 1, at: now() };
      const sold = taken.map(({ _id: leadId }) => ({
        leadId,
        maxSells: 1,
        sale,
        profit: 1,
        trail: [],
      }));
      await leads.sell(sold, now());
      return taken.map(({ _id: id }) => ({ id, status: 'ACCEPTED', buyer_id: 'b' }));
    };
    const stores = wrap({
      leads,
      starter: { decide },
      redemption: createPingRedemption(collections),
      idempotency: createIdempotencyStore(collections.idempotency),
    });
    const plans = createPlanStore(collections.plans);
    const accountCache = createAccountCache(collections, plans, systemClock);
    const claims = createPingClaims({ tokens: tokensOf(), clock });
    const admit = createAdmission(accountCache, clock, claims);
    const log = createLog('silent', 'test');
    const responseLog = createResponseLog({ collections, clock, log });
    const commitGroup = createGroupCommitter({
      ...stores,
      decider: createRemoteDecider({ ...stores, clock, log }),
      accountCache,
      admit,
      clock,
      log,
      keyring,
      responseLog,
    });
    const [supplier] = account.suppliers;
    const keyHash = hashKey(supplier?.key ?? '');
    return async (bodies: readonly Record<string, unknown>[], agoMs = 0) => {
      const access = await requireSupplier(keyHash, accountCache);
      const items: IntakeItem[] = [];
      for (const fields of bodies) {
        const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
        const body = { ...ids, ...fields };
        const admitted = await admit(access, body);
        const row = { _id: `${access.supplier_id}:${randomUUID()}`, body_hash: 'hash' };
        const idempotency = { row, claimed: false };
        items.push({
          admitted,
          access,
          keyHash,
          body,
          receivedAt: performance.now() - agoMs,
          idempotency,
        });
      }
      const settled = await commitGroup(items);
      return { items, told: settled.map(toldOf) };
    };
  };
  const toldOf = (result: PromiseSettledResult<{ kind: string }>): string => {
    if (result.status === 'fulfilled') return result.value.kind;
    const error: unknown = result.reason;
    if (!(error instanceof AppError)) return 'died';
    return error.extras.field_errors?.[0]?.code ?? error.code;
  };
  const post = ({ body }: Ping) => ({ ...aPerson(), ...body });
  const keyOf = ({ idempotency }: IntakeItem) =>
    database.collections.idempotency.findOne({ _id: idempotency?.row._id ?? '' });

  it.each(['before', 'after'] as const)(
    'leaves a usable ping, or a lead that continues, wherever a process dies (%s a call)',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        const ping = await newPing();
        const dies = dying(call, how);
        const first = await process(dies.wrap)([post(ping)]).catch(() => null);
        isOver = !dies.isDead();
        if (isOver) expect(first?.told).toEqual(['verdict']);
        const before = await soldOf(ping);
        const [told] = (await process()([post(ping)])).told;
        expect(['verdict', 'already_used']).toContain(told);
        // A post refused while the result was unknown may come again: by then the ping is usable, or its lead is sold.
        const [later] = (await process(undefined, MINUTE)([post(ping)])).told;
        const sold = await soldOf(ping);
        expect(sold).toHaveLength(1);
        expect(later).toBe(before.length > 0 || told === 'verdict' ? 'already_used' : 'verdict');
        const stored = await database.collections.pings.findOne({ _id: ping.id });
        expect(stored).toMatchObject({ state: 'redeemed', lead_id: sold[0] });
      }
      expect(call).toBeGreaterThan(5);
    },
  );

  it('succeeds for one of a group, and the others are refused and keep no key', async () => {
    const [ping, other] = [await newPing(), await newPing()];
    const bodies = [post(ping), post(ping), post(other), post(ping)];
    const { items, told } = await process()(bodies);
    expect(told).toEqual(['verdict', 'already_used', 'verdict', 'already_used']);
    const keys = await Promise.all(items.map(keyOf));
    expect(keys.map((key) => key !== null)).toEqual([true, false, true, false]);
    expect(await leadsOf(ping)).toHaveLength(1);
  });

  /** Another lead redeems the ping after it was read as open. */
  const overtaken =
    (ping: Ping, by: string): Wrap =>
    (stores) => ({
      ...stores,
      redemption: {
        ...stores.redemption,
        async redeem(wanted, now) {
          const set = { state: 'redeemed' as const, lead_id: by };
          await database.collections.pings.updateOne({ _id: ping.id }, { $set: set });
          return stores.redemption.redeem(wanted, now);
        },
      },
    });

  it('that another lead has just redeemed leaves nothing of the losing lead', async () => {
    const [ping, winner] = [await newPing(), await newPing()];
    const { items } = await process()([post(winner)]);
    const by = items[0]?.admitted.lead._id ?? '';
    const lost = await process(overtaken(ping, by))([post(ping), post(await newPing())]);
    expect(lost.told).toEqual(['already_used', 'verdict']);
    await waitFor(async () => (await leadsOf(ping)).length === 0, {
      message: 'its lead is forgotten',
    });
    expect(await Promise.all(lost.items.map(keyOf))).toEqual([null, expect.anything()]);
  });

  it('of a lead that failed is a definitive refusal, and the ping is usable again', async () => {
    const ping = await newPing();
    const { told } = await process(overtaken(ping, 'nobody'))([post(ping)]);
    expect(told).toEqual(['unavailable']);
    expect((await process()([post(ping)])).told).toEqual(['verdict']);
    expect(await soldOf(ping)).toHaveLength(1);
  });

  it('that takes too long is a definitive refusal, and its ping is usable again', async () => {
    const ping = await newPing();
    const hanging: Wrap = (stores) => ({
      ...stores,
      redemption: {
        ...stores.redemption,
        async redeem(wanted, now) {
          await stores.redemption.redeem(wanted, now);
          return new Promise(() => undefined);
        },
      },
    });
    const { told, items } = await process(hanging)([post(ping)], 2_200);
    expect(told).toEqual(['unavailable']);
    const first = await database.collections.leads.findOne({
      _id: items[0]?.admitted.lead._id ?? '',
    });
    expect(first?.status).toBe('WITHDRAWN');
    expect((await process()([post(ping)])).told).toEqual(['verdict']);
    expect(await soldOf(ping)).toHaveLength(1);
  });

  it('twice by the same lead is redeeming it once', async () => {
    const ping = await newPing();
    const again: Wrap = (stores) => ({
      ...stores,
      redemption: {
        ...stores.redemption,
        async redeem(wanted, now) {
          await stores.redemption.redeem(wanted, now);
          return stores.redemption.redeem(wanted, now);
        },
      },
    });
    expect((await process(again)([post(ping)])).told).toEqual(['verdict']);
    const stored = await database.collections.pings.findOne({ _id: ping.id });
    expect(stored).toMatchObject({ changes: 1, uncounted: true });
  });
});
