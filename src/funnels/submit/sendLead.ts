/** Sends a visitor's answers to the intake as the supplier of the funnel would, within this process. */
import { supplierKeyPlace } from '../../account/rules/sealedPlaces.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import { AppError, type ErrorCode } from '../../lib/errors.js';
import { getOwn } from '../../lib/getOwn.js';
import { hashKey } from '../../platform/security/keys.js';
import type { Keyring } from '../../platform/security/seal.js';
import { pingOfLead } from '../../account/campaigns/sample.js';
import type { Scalar } from '../../fields/values.js';
import type { FunnelOrigin } from '../../leads/rules/origin.js';
import { claimedAt, STORED_WITHIN_MS } from '../../leads/rules/keyTimes.js';
import { isPromised } from '../../leads/rules/promise.js';
import { supplierStatus, type SupplierStatus } from '../../leads/rules/supplierStatus.js';
import type { LeadAnswer, LeadStore } from '../../leads/store/leads.js';
import type { IdempotencyStore } from '../../ingest/store/idempotency.js';
import type { IngestData, Intake } from '../../ingest/types.js';
import type { Pings } from '../../pings/types.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { FunnelCollections } from '../store/collections.js';
import type { ConsentDoc } from '../store/funnelDocs.js';
import { keepPing } from './consent.js';
import type { Visit } from './visit.js';

/** The result for the visitor; only after `unavailable` may the same answers be sent again. */
export type LeadEndKind = 'thanks' | 'no_buyer' | 'refused' | 'closed' | 'unavailable';

export interface LeadEnd {
  kind: LeadEndKind;
  leadId?: string;
  /** Seconds after which it may be sent again. */
  retryAfter?: number;
}

interface SentLead {
  visit: Visit;
  body: Record<string, Scalar>;
  origin: FunnelOrigin;
  consent: Pick<ConsentDoc, '_id' | 'ping_token'>;
}

export interface SendDeps {
  intake: Pick<Intake, 'submit'>;
  pings: Pick<Pings, 'submit'>;
  leads: Pick<LeadStore, 'answers'>;
  idempotency: Pick<IdempotencyStore, 'get' | 'free'>;
  collections: Pick<
    AccountCollections & LeadCollections & FunnelCollections,
    'suppliers' | 'leads' | 'consents'
  >;
  keyring: Pick<Keyring, 'open'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
}

/** The campaign or the supplier accepts no leads now. */
const CLOSED_CODES: readonly ErrorCode[] = [
  ...(['campaign_paused', 'campaign_not_found', 'source_paused', 'supplier_capped'] as const),
  ...(['forbidden', 'unauthorized'] as const),
];
const RETRYABLE_CODES: readonly ErrorCode[] = [
  ...(['rate_limited', 'unavailable', 'outcome_unknown', 'request_timeout'] as const),
];

/** One nonce makes one lead: a repeated submit returns the answer of the first. */
export async function sendLead(lead: SentLead, deps: SendDeps): Promise<LeadEnd> {
  const { org_id, supplier_id } = lead.visit.shown.funnel;
  const supplier = await deps.collections.suppliers.findOne(
    { _id: supplier_id, org_id, removed_at: { $exists: false } },
    { projection: { api_key: 1 } },
  );
  if (!supplier) return { kind: 'closed' };
  const key = deps.keyring.open(supplier.api_key, supplierKeyPlace(supplier._id));
  try {
    return lead.visit.plan.routing_method === 'PING_POST' && !lead.origin.suspect
      ? await pingAndPost(lead, key, deps)
      : await post(lead, lead.body, key, deps);
  } catch (error) {
    return endOf(error, lead, deps);
  }
}

/** Pings once per page, for as long as the bids of that ping are valid. */
async function pingAndPost(lead: SentLead, key: string, deps: SendDeps): Promise<LeadEnd> {
  const { consent, body } = lead;
  const before = consent.ping_token;
  if (before !== undefined) {
    try {
      return await post(lead, { ...body, flo_ping_id: before }, key, deps);
    } catch (error) {
      if (!isPingOver(error)) throw error;
    }
  }
  const pinged = pingOfLead(body, lead.visit.plan.fields);
  const receivedAt = deps.clock.monotonic();
  const { data } = await deps.pings.submit({ key, body: pinged, receivedAt });
  if (!data.accepted) return { kind: getOwn(UNBID, data.reason) ?? 'no_buyer' };
  const token = await keepPing(consent._id, data.ping_id, before, deps.collections);
  return post(lead, { ...body, flo_ping_id: token }, key, deps);
}

const UNBID: Record<string, LeadEndKind | undefined> = {
  filtered: 'refused',
  suppressed: 'refused',
  paused: 'closed',
  capped: 'closed',
};

const isPingOver = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.extras.field_errors ?? []).some(
    ({ field, code }) => field === 'flo_ping_id' && code === 'expired',
  );

async function post(
  { visit: { page, visitor }, origin }: SentLead,
  body: Record<string, Scalar>,
  key: string,
  deps: SendDeps,
): Promise<LeadEnd> {
  const { data, leadId } = await deps.intake.submit({
    key,
    body,
    idempotencyKey: page.nonce,
    receivedAt: deps.clock.monotonic(),
    closed: visitor.closed,
    origin,
  });
  return { kind: await kindOf(data, origin, deps), leadId };
}

/** A visitor who fills in the page in two tabs is thanked twice; any other duplicate finds no buyer. */
async function kindOf(
  { status, duplicate_of }: Pick<IngestData, 'status' | 'duplicate_of'>,
  { funnel_id }: Pick<FunnelOrigin, 'funnel_id'>,
  { collections, clock }: SendDeps,
): Promise<LeadEndKind> {
  if (status === 'ACCEPTED') return 'thanks';
  if (status === 'UNMATCHED' || duplicate_of === undefined) return 'no_buyer';
  const original = await collections.leads.findOne(
    { _id: duplicate_of },
    { projection: { origin: 1, status: 1, created_at: 1 } },
  );
  const isRecent = Number(clock.now()) - Number(original?.created_at ?? 0) < RECENT_MS;
  const isOwn = original?.origin?.funnel_id === funnel_id && isRecent;
  return original && isOwn ? END_KINDS[supplierStatus(original)] : 'no_buyer';
}

/** A duplicate of a lead that is older, in milliseconds, is not the same visit. */
const RECENT_MS = 86_400_000;

/** What the visitor is shown for a lead of this status. */
const END_KINDS: Record<SupplierStatus, LeadEndKind> = {
  // Nothing was promised: the same answers may be sent again.
  undecided: 'unavailable',
  pending: 'thanks',
  delivered: 'thanks',
  expired: 'thanks',
  unmatched: 'no_buyer',
  duplicate: 'no_buyer',
  filtered: 'refused',
  capped: 'closed',
  withdrawn: 'unavailable',
};

async function endOf(error: unknown, lead: SentLead, deps: SendDeps): Promise<LeadEnd> {
  if (!(error instanceof AppError)) throw error;
  const { code, extras } = error;
  if (code === 'filtered') {
    const leadId = extras.lead_id;
    if (leadId === undefined) return { kind: 'refused' };
    return { kind: await refusedAs(leadId, deps), leadId };
  }
  if (code === 'idempotency_key_reused') return endOfFirst(lead, deps);
  if (CLOSED_CODES.includes(code)) return { kind: 'closed' };
  if (RETRYABLE_CODES.includes(code))
    return { kind: 'unavailable', retryAfter: extras.retry_after ?? 2 };
  if (code === 'validation_failed') {
    const fields = (extras.field_errors ?? []).map((fault) => `${fault.field} ${fault.code}`);
    const { funnel_id } = lead.origin;
    deps.log.warn({ funnel_id, fields }, 'the intake refused answers that a funnel had checked');
    return { kind: 'refused' };
  }
  throw error;
}

/** A bot must not learn that it was recognized, also not from a repeated submit. */
async function refusedAs(leadId: string, { collections }: SendDeps): Promise<LeadEndKind> {
  const found = await collections.leads.findOne({ _id: leadId }, { projection: { origin: 1 } });
  return found?.origin?.suspect ? 'thanks' : 'refused';
}

/** Other answers under the same nonce: the first submit counts, unless it made no lead. */
async function endOfFirst(lead: SentLead, deps: SendDeps): Promise<LeadEnd> {
  const { shown, page } = lead.visit;
  const row = await deps.idempotency.get(`${shown.funnel.supplier_id}:${hashKey(page.nonce)}`);
  if (!row) return { kind: 'unavailable', retryAfter: 1 };
  const first = (await deps.leads.answers([row.lead_id])).get(row.lead_id);
  const isOnItsWay = Number(deps.clock.now()) - claimedAt(row) < STORED_WITHIN_MS;
  const isNone = first === undefined ? !isOnItsWay : first.status === 'WITHDRAWN';
  // The next submit may use the key.
  if (isNone) await deps.idempotency.free([row]);
  if (first === undefined || isNone) return { kind: 'unavailable', retryAfter: 1 };
  // Without the id: the consent record of these answers must not claim the lead of the first.
  return { kind: (await endOfLead(first, deps)).kind };
}

async function endOfLead(lead: LeadAnswer, deps: SendDeps): Promise<LeadEnd> {
  const leadId = lead._id;
  // A lead whose decision is still pending shows the page of thanks, whatever it becomes.
  if (isPromised(lead)) return { kind: 'thanks', leadId };
  const kind = END_KINDS[supplierStatus(lead)];
  if (kind === 'closed') return { kind };
  return { kind: kind === 'refused' ? await refusedAs(leadId, deps) : kind, leadId };
}

/** The result of the lead that a page has made; null: it is not stored. */
export async function endOfStored(leadId: string, deps: SendDeps): Promise<LeadEnd | null> {
  const lead = (await deps.leads.answers([leadId])).get(leadId);
  return lead ? endOfLead(lead, deps) : null;
}
