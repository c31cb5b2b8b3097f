/**
 * One group of requests on its way to durability: account re-checked, keys claimed, leads stored, workflow
 * started. Only what is stored and started is acknowledged; everything else is taken back first.
 */
import { outcomeUnknown, unavailable } from '../errors.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { IdempotencyDoc } from '../store/collections.js';
import type { IdempotencyStore } from '../store/idempotency.js';
import type { LeadStore } from '../store/leads.js';
import type { LeadStarter } from '../temporal/starters.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import type { Admit, Admitted } from './admission.js';
import { STARTED_BY_MS, STORED_BY_MS, TAKEN_BACK_BY_MS } from './deadlines.js';
import type { Directory, SupplierAccess } from './directory.js';
import { requireSupplier } from './access.js';
import { within } from './within.js';

export interface Item {
  admitted: Admitted;
  access: SupplierAccess;
  keyHash: string;
  body: Record<string, unknown>;
  /** When the request arrived, on the monotonic clock. */
  receivedAt: number;
  /** Present when the request carries an Idempotency-Key. */
  idempotency?: { row: Pick<IdempotencyDoc, '_id' | 'body_hash'>; claimed: boolean };
}

/** What became of one request of a group. `join`: an earlier request has its key. */
export type Taken =
  { kind: 'verdict'; verdict: LeadVerdict } | { kind: 'join'; row: IdempotencyDoc };

export interface HandOverDeps {
  directory: Directory;
  admit: Admit;
  idempotency: IdempotencyStore;
  leads: LeadStore;
  starter: Pick<LeadStarter, 'decide'>;
  clock: Clock;
  log: Log;
}

const NOT_TAKEN = 'The lead could not be taken now, and was not. Send it again.';
/** Taking back is given so long at least, in milliseconds. */
const LEAST_MS = 300;
const DAY_MS = 86_400_000;

export function createHandOver(deps: HandOverDeps) {
  return async (items: readonly Item[]): Promise<PromiseSettledResult<Taken>[]> => {
    const results = new Map<Item, PromiseSettledResult<Taken>>();
    const settle = (item: Item, value: Taken) => results.set(item, { status: 'fulfilled', value });
    const refuse = (item: Item, reason: unknown) =>
      results.set(item, { status: 'rejected', reason });

    // The oldest request of the group sets the pace.
    const arrived = Math.min(...items.map(({ receivedAt }) => receivedAt));
    const leftMs = (byMs: number) => arrived + byMs - deps.clock.monotonic();
    // Nothing is stored yet: out of time here is a true no.
    const claiming = async () => claimKeys(await readmit(items, refuse, deps), settle, deps);
    const free = await claimInTime(items, leftMs(STORED_BY_MS), claiming, deps);
    if (free.length > 0) {
      const verdicts = await storeAndStart(free, leftMs, deps);
      free.forEach((item) => {
        const verdict = verdicts?.get(item.admitted.lead._id);
        if (verdicts === null) refuse(item, outcomeUnknown());
        else if (verdict && verdict.status !== 'WITHDRAWN')
          settle(item, { kind: 'verdict', verdict });
        else refuse(item, unavailable(NOT_TAKEN));
      });
      if (verdicts) freeKeys(free, verdicts, deps);
    }
    return items.map(
      (item) =>
        results.get(item) ?? { status: 'rejected', reason: new Error('An item was forgotten') },
    );
  };
}

/** One read tells whether the account has changed; only then are requests looked at again. */
async function readmit(
  items: readonly Item[],
  refuse: (item: Item, reason: unknown) => unknown,
  { directory, admit }: HandOverDeps,
): Promise<Item[]> {
  const versions = await directory.refresh([...new Set(items.map(({ access }) => access.org_id))]);
  const current: Item[] = [];
  for (const item of items) {
    const version = versions.get(item.access.org_id);
    if (item.access.version === version && item.admitted.version === version) {
      current.push(item);
      continue;
    }
    try {
      item.access = await requireSupplier(item.keyHash, directory);
      item.admitted = await admit(item.access, item.body);
      current.push(item);
    } catch (error) {
      refuse(item, error);
    }
  }
  return current;
}

/** A claim that comes too late, or whose answer is lost, is given back as soon as it is known to be over. */
async function claimInTime(
  items: readonly Item[],
  ms: number,
  claim: () => Promise<Item[]>,
  deps: HandOverDeps,
): Promise<Item[]> {
  let claiming: Promise<Item[]> | undefined;
  try {
    return await within(ms, NOT_TAKEN, () => (claiming = claim()));
  } catch (error) {
    void claiming?.catch(() => []).then(() => freeKeys(items, new Map(), deps));
    throw error;
  }
}

async function claimKeys(
  items: readonly Item[],
  settle: (item: Item, value: Taken) => unknown,
  { idempotency, clock }: HandOverDeps,
): Promise<Item[]> {
  const expires_at = new Date(Number(clock.now()) + DAY_MS);
  const rows = items.flatMap(({ idempotency: key, admitted }) =>
    key && !key.claimed ? [{ ...key.row, lead_id: admitted.lead._id, expires_at }] : [],
  );
  const earlier = await idempotency.claim(rows);
  return items.filter((item) => {
    if (!item.idempotency) return true;
    item.admitted.lead.idempotency_id = item.idempotency.row._id;
    const row = item.idempotency.claimed ? undefined : earlier.get(item.idempotency.row._id);
    // A driver that repeated the insert meets its own row.
    if (!row || row.lead_id === item.admitted.lead._id) return true;
    settle(item, { kind: 'join', row });
    return false;
  });
}

/** Null when nobody can tell: leads that are stored, whose start could neither be confirmed nor taken back. */
async function storeAndStart(
  items: readonly Item[],
  leftMs: (byMs: number) => number,
  deps: HandOverDeps,
): Promise<Map<string, LeadVerdict> | null> {
  const leads = items.map(({ admitted }) => admitted.lead);
  let stored = false;
  try {
    await within(leftMs(STARTED_BY_MS), NOT_TAKEN, () => deps.leads.insert(leads));
    stored = true;
    const leftToStart = leftMs(STARTED_BY_MS);
    const deadline = Number(deps.clock.now()) + leftToStart;
    // The deadline is of each attempt; a server that refuses connections is tried again for longer.
    const verdicts = await within(leftToStart, NOT_TAKEN, () =>
      deps.starter.decide(leads, deadline),
    );
    if (verdicts) return new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  } catch (error) {
    deps.log.warn({ err: error, leads: leads.length }, 'a group could not be handed over');
  }
  try {
    const ids = leads.map((lead) => lead._id);
    // However late it is: a true no is worth the moment.
    const ms = Math.max(leftMs(TAKEN_BACK_BY_MS), LEAST_MS);
    return await within(ms, NOT_TAKEN, () => takeBack(ids, deps));
  } catch (error) {
    deps.log.warn({ err: error, leads: leads.length }, 'a group could not be taken back');
    // Not known to be stored, and not started: if it is there, it is withdrawn when it is found. But a run may
    // be selling what was started: then a no could be a lie, and so could a promise.
    return stored ? null : new Map();
  }
}

/** Withdraws what no run has taken: for those a 503 is true. The others are at work somewhere. */
async function takeBack(
  leadIds: readonly string[],
  deps: HandOverDeps,
): Promise<Map<string, LeadVerdict>> {
  const withdrawn = await deps.leads.withdraw(leadIds, deps.clock.now());
  const stored = await deps.leads.answers(leadIds);
  return new Map(
    leadIds
      .filter((id) => stored.has(id))
      .map((id) => [id, { id, status: withdrawn.has(id) ? 'WITHDRAWN' : 'OPEN' }]),
  );
}

/**
 * The keys of leads that were not taken. Nobody waits for it: with the database away an answer would be
 * late, and a key that stays taken by a withdrawn lead is taken over by the next request that brings it.
 */
function freeKeys(
  items: readonly Item[],
  verdicts: Map<string, LeadVerdict>,
  { idempotency, log }: HandOverDeps,
): void {
  const freed = items.flatMap(({ idempotency: key, admitted }) => {
    const status = verdicts.get(admitted.lead._id)?.status ?? 'WITHDRAWN';
    return key && status === 'WITHDRAWN' ? [{ _id: key.row._id, lead_id: admitted.lead._id }] : [];
  });
  idempotency.free(freed).catch((error: unknown) => log.warn({ err: error }, 'keys not freed'));
}
