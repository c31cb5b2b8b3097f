/** A request to return a lead: whether the buyer may, and its place in the month. */
import { readTimeZone } from '../../account/orgs.js';
import { findBuyer } from '../../account/buyers/buyers.js';
import type { Clock } from '../../lib/clock.js';
import type { Lead, Sale } from '../../leads/rules/lead.js';
import type { ChangeAuthor } from '../../leads/rules/saleChange.js';
import {
  autoAcceptAt,
  quotaReached,
  computeReturnQuota,
  findReturnRefusal,
  type ReturnReason,
} from '../rules/returnRules.js';
import { DEFAULT_RETURNS, type ReturnSettings } from '../../account/buyers/returnsSchema.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { AppError } from '../../lib/errors.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { OutcomeCollections } from '../store/collections.js';
import type { ReturnDoc } from '../store/returnDocs.js';
import type { ReturnStore } from '../store/returns.js';
import { dayAfter } from '../../fields/days.js';
import { totalLine } from '../../reports/rules/rollups.js';
import { readReport } from '../../reports/report.js';
import type { RollDeps } from '../../reports/countBatches.js';

export interface ReturnRequest {
  org_id: string;
  lead_id: string;
  /** Needed where several buyers bought the lead. */
  buyer_id?: string;
  reason: ReturnReason;
  note: string | null;
  by: ChangeAuthor;
}

export interface RequestDeps {
  collections: OutcomeCollections & AccountCollections & RollDeps['collections'];
  returns: ReturnStore;
  clock: Clock;
}

/** Maximum attempts when other requests for the same lead are stored at the same moment. */
const TRIES = 5;

export async function requestReturn(request: ReturnRequest, deps: RequestDeps): Promise<ReturnDoc> {
  const { lead, sale } = await findSale(request, deps.collections);
  const { returns = DEFAULT_RETURNS } = await findBuyer(
    { collections: deps.collections, orgId: request.org_id },
    sale.buyer_id,
  );
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const earlier = await deps.returns.of(lead._id, sale.buyer_id);
    const open = earlier.find(({ state }) => state !== 'rejected');
    if (open) return sameOrRefused(open, request);
    const added = await add(
      { request, lead, sale, settings: returns, nth: earlier.length + 1 },
      deps,
    );
    if (added) return added;
  }
  throw refused('Other calls request a return of this lead at the same time. Check list_returns.');
}

interface Wanted {
  request: ReturnRequest;
  lead: Lead;
  sale: Sale;
  settings: ReturnSettings;
  nth: number;
}

/** Null when another request was stored first. */
async function add(wanted: Wanted, deps: RequestDeps): Promise<ReturnDoc | null> {
  const { doc, limit } = await prepare(wanted, deps);
  const added = await deps.returns.add(doc, limit?.most ?? null);
  if (added === 'added') return doc;
  if (added === 'taken' || !limit) return null;
  throw limit.reached();
}

/**
 * The request as it is stored, and its limit.
 * @throws {AppError} `action_refused` where the buyer's settings forbid it
 */
async function prepare(wanted: Wanted, deps: RequestDeps) {
  const { lead, sale, settings } = wanted;
  const now = deps.clock.now();
  const against = findReturnRefusal(settings, sale, now);
  if (against !== null) throw refused(against);
  const came = windowKeys(lead.created_at, await readTimeZone(deps.collections, lead.org_id));
  const doc = buildReturn(wanted, came, now);
  const sold =
    doc.month !== undefined && settings.max_share_pct !== null
      ? await countSoldInMonth(lead.org_id, sale.buyer_id, came.month, deps)
      : 0;
  const room = doc.month === undefined ? null : computeReturnQuota(settings, sold);
  const limit = room && {
    most: room.most,
    reached: () => refused(quotaReached(room, settings, came.month, sold)),
  };
  return { doc, limit };
}

/** Requests of a dry run that would be stored, by buyer and month. */
export type PlannedReturns = Map<string, number>;

/**
 * Whether the request would be stored, in addition to those that are planned; it is then planned too. Nothing changes.
 * @returns the open request that it repeats, or null
 * @throws {AppError} as `requestReturn`
 */
export async function checkReturn(
  request: ReturnRequest,
  planned: PlannedReturns,
  deps: RequestDeps,
): Promise<ReturnDoc | null> {
  const { lead, sale } = await findSale(request, deps.collections);
  const { returns: settings = DEFAULT_RETURNS } = await findBuyer(
    { collections: deps.collections, orgId: request.org_id },
    sale.buyer_id,
  );
  const earlier = await deps.returns.of(lead._id, sale.buyer_id);
  const open = earlier.find(({ state }) => state !== 'rejected');
  if (open) return sameOrRefused(open, request);
  const nth = earlier.length + 1;
  const { doc, limit } = await prepare({ request, lead, sale, settings, nth }, deps);
  if (doc.month === undefined) return null;
  const place = `${doc.buyer_id}:${doc.month}`;
  const also = planned.get(place) ?? 0;
  if (limit && (await deps.returns.counted(doc)) + also >= limit.most) throw limit.reached();
  planned.set(place, also + 1);
  return null;
}

function buildReturn(
  { request, lead, sale, settings, nth }: Wanted,
  { day, month }: { day: string; month: string },
  now: Date,
): ReturnDoc {
  const { buyer_id } = sale;
  return {
    _id: `${lead._id}:${buyer_id}:${nth}`,
    org_id: lead.org_id,
    lead_id: lead._id,
    buyer_id,
    campaign_id: lead.campaign_id,
    reason: request.reason,
    note: request.note,
    state: 'requested',
    // A test lead has no cost and no revenue, and uses up no limit.
    month: lead.is_test ? undefined : month,
    lead_day: day,
    created_at: now,
    requested_by: request.by,
    auto_accept_at: autoAcceptAt(settings, now) ?? undefined,
  };
}

function sameOrRefused(open: ReturnDoc, request: ReturnRequest): ReturnDoc {
  const isSame = open.reason === request.reason && open.note === request.note;
  if (isSame) return open;
  const since = open.created_at.toISOString();
  throw refused(
    open.state === 'accepted'
      ? `The lead was returned already, by return ${open._id} of ${since}.`
      : `Return ${open._id} of ${since} is open for this lead; resolve_return decides it.`,
  );
}

/** @throws {AppError} `not_found` for a lead that does not exist or was not sold to the buyer */
async function findSale(
  { org_id, lead_id, buyer_id }: ReturnRequest,
  { leads }: Pick<LeadCollections, 'leads'>,
): Promise<{ lead: Lead; sale: Sale }> {
  const lead = await leads.findOne({ _id: lead_id, org_id });
  if (!lead) throw new AppError('not_found', `There is no lead ${lead_id}.`);
  const [only, another] = lead.sales;
  if (buyer_id === undefined && another) {
    const message = `Lead ${lead_id} has ${lead.sales.length} buyers; buyer_id must say which one returns it.`;
    throw refused(message);
  }
  const sale = buyer_id === undefined ? only : lead.sales.find((one) => one.buyer_id === buyer_id);
  if (sale) return { lead, sale };
  const toBuyer = buyer_id === undefined ? '' : ` to buyer ${buyer_id}`;
  throw new AppError('not_found', `Lead ${lead_id} was not sold${toBuyer}.`);
}

const refused = (message: string): AppError => new AppError('action_refused', message);

/**
 * How many leads that arrived in a month a buyer has bought so far, as reports count them: of very many that arrive
 * just now some may be missing, but none is counted too much.
 * @param month `2026-11`, in the account's time zone
 */
async function countSoldInMonth(
  orgId: string,
  buyer_id: string,
  month: string,
  deps: RollDeps,
): Promise<number> {
  const from = `${month}-01`;
  // 31 days after the first of a month is in the next month, and the day before its first is the last of this one.
  const to = dayAfter(`${dayAfter(from, 31).slice(0, 7)}-01`, -1);
  const { rows } = await readReport(deps, { orgId, from, to, buyer_id }, 'buyer');
  return totalLine(rows).sales;
}
