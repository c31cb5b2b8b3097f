/**
 * What an earlier release stored in plain text: values of headers, which hold keys of buyers, and templates and
 * addresses in the audit log.
 */
import { isDeepStrictEqual } from 'node:util';
import { MongoServerError } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import { withoutSecrets } from '../redaction.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';
import type { RepairStore } from '../../platform/mongo/repairs.js';
import type { Clock } from '../../lib/clock.js';
import { sealBuyer, sealLink, sealStoredPlan } from './sealing.js';

export interface SealingDeps {
  clock: Clock;
  collections: Pick<AccountCollections, 'buyers' | 'campaignBuyers' | 'plans' | 'audit'>;
  keyring: Keyring;
  repairs: Pick<RepairStore, 'isDone' | 'done' | 'progress' | 'reached' | 'again'>;
  log: Pick<Log, 'error'>;
  stopping(): boolean;
}

const NAME = 'sealed_headers';
/**
 * A day. As long as processes of the previous release may run, in addition to those of this one or in their place, they
 * must be able to send what is stored; they cannot read sealed headers.
 */
const WAIT_MS = 86_400_000;
/** No further part is begun after this time: the next run continues. */
const RUN_MS = 3_000;
const BATCH_SIZE = 200;

interface Part {
  /** Null: there are no further records. */
  last: string | null;
  mended: number;
}
type Stage = (after: string, deps: SealingDeps) => Promise<Part>;

/** Plans come after the documents they are compiled from: plans compiled meanwhile have sealed headers already. */
const STAGES: readonly Stage[] = [
  (after, { collections: { buyers }, keyring }) =>
    partOf(buyers.find(beyond(after), { projection: { delivery: 1, ping: 1 } }), (buyer) =>
      sealBuyer(buyers, buyer, keyring),
    ),
  (after, { collections: { campaignBuyers: links }, keyring }) =>
    partOf(links.find(beyond(after), { projection: { buyer_id: 1, delivery: 1 } }), (link) =>
      sealLink(links, link, keyring),
    ),
  (after, { collections: { plans }, keyring, log }) =>
    partOf(plans.find(beyond(after), { projection: PLAN_HEADERS }), (plan) =>
      sealStoredPlan(plans, plan, keyring).catch((error: unknown) => {
        if (!isTooLarge(error)) throw error;
        log.error(
          { plan: plan._id },
          'a plan is too large for sealed headers; they stay unchanged',
        );
        return 0;
      }),
    ),
  (after, { collections: { audit } }) =>
    partOf(audit.find(beyond(after), { projection: { input: 1 } }), async ({ _id, input }) => {
      const shown = withoutSecrets(input) as Record<string, unknown>;
      if (isDeepStrictEqual(shown, input)) return 0;
      await audit.updateOne({ _id }, { $set: { input: shown } });
      return 1;
    }),
];

/** Only the part of a plan that is checked: the rest may be large. */
const PLAN_HEADERS = {
  'buyers.buyer_id': 1,
  'buyers.delivery.headers': 1,
  'buyers.ping.headers': 1,
};

/**
 * Seals the headers and redacts the audit log, as far as one run gets; the next run continues from there. It is done
 * once a whole pass has found nothing: the next pass finds what a change under way wrote behind the previous one.
 * Returns the number of records it mended.
 */
export async function sealPlaintext(deps: SealingDeps): Promise<number> {
  const { repairs, clock } = deps;
  if (await repairs.isDone(NAME)) return 0;
  let place = await repairs.progress(NAME, clock.now());
  if (Number(clock.now()) < Number(place.begun_at) + WAIT_MS) return 0;
  const until = clock.monotonic() + RUN_MS;
  let mended = 0;
  while (!deps.stopping() && clock.monotonic() < until) {
    const stage = STAGES[place.stage];
    if (!stage) {
      if (place.mended === 0) await repairs.done(NAME, clock.now());
      else await repairs.again(NAME);
      break;
    }
    const part = await stage(place.after, deps);
    mended += part.mended;
    const next =
      part.last === null
        ? { stage: place.stage + 1, after: '' }
        : { stage: place.stage, after: part.last };
    place = await repairs.reached(NAME, next, part.mended);
  }
  return mended;
}

const beyond = (after: string) => ({ _id: { $gt: after } });

interface Found<T> {
  sort(by: { _id: 1 }): Found<T>;
  limit(most: number): AsyncIterable<T>;
}

/** Checks the next records in the order of their ids. */
async function partOf<T extends { _id: string }>(
  records: Found<T>,
  mend: (record: T) => Promise<number>,
): Promise<Part> {
  const part: Part = { last: null, mended: 0 };
  for await (const record of records.sort({ _id: 1 }).limit(BATCH_SIZE)) {
    part.mended += await mend(record);
    part.last = record._id;
  }
  return part;
}

/** Sealed values are longer than plain ones, and a document is limited to 16 MiB. */
const TOO_LARGE: ReadonlySet<unknown> = new Set([10_334, 17_419, 17_420]);
const isTooLarge = (error: unknown): boolean =>
  error instanceof MongoServerError && TOO_LARGE.has(error.code);
