/** Seeds an account of a trade with a week of leads, for trying the program on. A second run changes nothing. */
import type { AccountContext } from '../../account/context.js';
import type { ActionCollections as Collections } from '../../api/actions/action.js';
import { AppError } from '../../lib/errors.js';
import type { OutboundPolicy } from '../../account/buyers/delivery.js';
import type { LeadStatus } from '../../leads/rules/leadStatus.js';
import type { Clock } from '../../lib/clock.js';
import type { TransportReply } from '../../platform/outbound/reply.js';
import type { Keyring } from '../../platform/security/seal.js';
import {
  buyerUrl,
  demoName,
  ensureSeededAccount,
  ensureSeededOrg,
  seededOrgId,
  type SeededAccount,
} from './account.js';
import { createPast, type AnswerAsBuyer } from './distribute.js';
import { createRandom } from './random.js';
import { TRADES, type Trade, type TradeName } from './trades.js';
import { leadsOfWeek, type SeedLead } from './week.js';

export interface SeedDeps {
  collections: Collections;
  keyring: Keyring;
  policy: OutboundPolicy;
  clock: Pick<Clock, 'now'>;
}

export interface SeedOptions {
  trade: TradeName;
  seed: number;
  /** The organization to seed; absent: one of its own. */
  orgId?: string;
  /** Also an organization that has leads of other campaigns. */
  force?: boolean;
  /** Leads of a day; default 40. Another number makes other leads. */
  perDay?: number;
  /** Called after each lead. */
  onLead?: (done: number, total: number) => void;
  /** Ends it after the lead at hand. */
  isStopped?: () => boolean;
}

export interface Seeded {
  organization: { id: string; name: string };
  campaign_id: string;
  /** Leads of the week by their present states. */
  leads: Partial<Record<LeadStatus, number>>;
  /** Leads that this run added. */
  added: number;
}

/** @throws {AppError} `not_found` without such an organization; `conflict` when it has other leads, and not `force` */
export async function seedAccount(deps: SeedDeps, options: SeedOptions): Promise<Seeded> {
  const { trade: name, seed, force = false, onLead, isStopped = () => false } = options;
  const trade: Trade = TRADES[name];
  const { collections, keyring } = deps;
  const org = options.orgId
    ? await findOrg(collections, options.orgId)
    : await ensureSeededOrg(deps, seededOrgId(name, seed), `${demoName(trade.title)} (${seed})`);
  if (!force) await refuseReal(collections, org, trade);
  const account: AccountContext = { ...deps, orgId: org._id };
  const seeded = await ensureSeededAccount(account, trade);
  const { campaign } = seeded;
  // The week ends when its campaign was made, so that a later run finds the same leads.
  const { perDay } = options;
  const week = { trade: name, seed, until: campaign.created_at, timeZone: org.time_zone, perDay };
  const leads = leadsOfWeek(week);
  const ids = leads.map(({ id }) => id);
  const stored = new Set<string>(await collections.leads.distinct('_id', { _id: { $in: ids } }));
  const past = createPast({ collections, keyring }, org._id, answersOf(trade, leads, week.until));
  let added = 0;
  // One after the other: a cap counts the day of the lead at hand.
  for (const lead of leads.filter(({ id }) => !stored.has(id))) {
    if (isStopped()) break;
    await past.decide(requestOf(lead, seeded));
    added += 1;
    onLead?.(stored.size + added, leads.length);
  }
  return {
    organization: { id: org._id, name: org.name },
    campaign_id: campaign._id,
    leads: await countStates(collections, ids),
    added,
  };
}

const findOrg = async ({ orgs }: Collections, id: string) => {
  const org = await orgs.findOne({ _id: id });
  if (org) return org;
  throw new AppError('not_found', `There is no organization ${id}.`);
};

/** A week of made-up sales would be in the reports of a business, and in the statements of its suppliers. */
async function refuseReal(
  { campaigns, leads }: Collections,
  { _id: org_id, name }: { _id: string; name: string },
  trade: Trade,
): Promise<void> {
  const own = await campaigns.findOne(
    { org_id, name: demoName(trade.title) },
    { projection: { _id: 1 } },
  );
  const real = await leads.findOne(
    { org_id, ...(own ? { campaign_id: { $ne: own._id } } : {}) },
    { projection: { _id: 1 } },
  );
  if (real)
    throw new AppError(
      'conflict',
      `${name} has leads of its own, and made-up ones would be in its reports. Nothing was done.`,
    );
}

function requestOf({ id, at, supplier, body }: SeedLead, { campaign, suppliers }: SeededAccount) {
  const supplierId = suppliers.get(supplier) ?? '';
  const ids = { flo_campaign_id: campaign._id, flo_supplier_id: supplierId };
  return { id, at, supplierId, body: { ...ids, ...body } };
}

const DOWN_FOR_MS = 90 * 60_000;

/** Each buyer answers a lead the same in every run. */
function answersOf(trade: Trade, leads: readonly SeedLead[], until: Date): AnswerAsBuyer {
  const byUrl = new Map(trade.buyers.map((one) => [buyerUrl(one.name), one]));
  const draws = new Map(leads.map(({ at, answers }) => [Number(at), answers]));
  return ({ url }, at): TransportReply => {
    const buyer = byUrl.get(url);
    if (!buyer) return { kind: 'not_sent', reason: 'no such buyer' };
    if (buyer.isDown && Number(until) - Number(at) < DOWN_FOR_MS)
      return answered(503, { error: 'down_for_maintenance' });
    const random = createRandom(`${draws.get(Number(at)) ?? ''}:${buyer.name}`);
    if (random.next() < buyer.accepts) return answered(200, { accepted: true });
    return answered(422, { accepted: false, reason: random.pick(buyer.reasons) });
  };
}

const answered = (status: number, body: Record<string, unknown>): TransportReply => ({
  kind: 'answered',
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function countStates(
  { leads }: Collections,
  ids: readonly string[],
): Promise<Seeded['leads']> {
  const found = await leads
    .find({ _id: { $in: [...ids] } }, { projection: { status: 1 } })
    .toArray();
  const groups = Map.groupBy(found, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}
