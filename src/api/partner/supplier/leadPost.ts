/** A lead as a post of its supplier: its answer, the reason, and its status. */
import type { FilterFailure } from '../../../lib/filterFailure.js';
import { AppError } from '../../../lib/errors.js';
import { fromMicros } from '../../../fields/money.js';
import { keptReply } from '../../../ingest/reply.js';
import { supplierStatus, type SupplierStatus } from '../../../leads/rules/supplierStatus.js';
import type { ShownBuyer } from '../../../leads/shownBuyer.js';
import type { SupplierLead } from '../../../leads/store/supplierLeads.js';
import type { PostNames, PostSettings, SupplierPostRow } from './postNames.js';

/** An answer as it was sent over HTTP. */
export interface PostAnswer {
  http_status: number;
  code: string;
  body: Record<string, unknown>;
}

/** What rows need in addition to the leads themselves. */
export interface LeadRows {
  /** Leads of this supplier that these are duplicates or repeats of. */
  earlier: ReadonlyMap<string, SupplierLead>;
  names: PostNames;
  settings: PostSettings;
  shown: ShownBuyer;
}

export function leadPost(lead: SupplierLead, rows: LeadRows): SupplierPostRow {
  const { names, settings } = rows;
  const { http_status, code } = answerOfLead(lead, rows);
  const status = supplierStatus(lead);
  const isSold = status === 'delivered';
  const isNamed = isSold && settings.show_buyer_names && lead.ping?.reveal_buyers !== false;
  return {
    id: lead._id,
    kind: 'lead',
    at: lead.created_at,
    campaign: names.campaign(lead.campaign_id),
    is_test: lead.is_test,
    answer: { http_status, code },
    reason: reasonFor(lead, rows),
    status: SHOWN[status].status,
    duplicate_of: findOriginal(lead, rows)?._id,
    ping_id: lead.ping?.ping_id,
    payout: isSold ? fromMicros(lead.cost) : null,
    buyer_name: isNamed ? names.buyer(lead.buyer_id) : null,
    price: isSold && settings.show_prices ? fromMicros(lead.price) : null,
  };
}

const findOriginal = ({ duplicate_of }: SupplierLead, { earlier }: LeadRows) =>
  duplicate_of === undefined ? undefined : earlier.get(duplicate_of);

/** As lookups show it, but with `PENDING` as a status of its own, and the reason where the status does not say it. */
const SHOWN: Record<SupplierStatus, Pick<SupplierPostRow, 'status' | 'reason'>> = {
  undecided: { status: 'NEW', reason: null },
  pending: { status: 'PENDING', reason: 'A buyer still has to confirm it.' },
  delivered: { status: 'ACCEPTED', reason: null },
  unmatched: { status: 'UNMATCHED', reason: 'No buyer accepted it.' },
  duplicate: { status: 'DUPLICATE', reason: 'The campaign already had a lead of this person.' },
  // Shown with the rules that it did not pass.
  filtered: { status: 'REJECTED', reason: null },
  capped: { status: 'REJECTED', reason: 'Your cap on the campaign was reached.' },
  expired: { status: 'EXPIRED', reason: 'No buyer accepted it in time.' },
  withdrawn: { status: 'NEW', reason: 'The service could not accept it then. Send it again.' },
};

/** A repeated request got the answer of the first. */
export function answerOfLead(lead: SupplierLead, rows: LeadRows): PostAnswer {
  const first = lead.replay_of === undefined ? undefined : rows.earlier.get(lead.replay_of);
  return answerOf(first ?? lead, rows);
}

function answerOf(lead: SupplierLead, rows: LeadRows): PostAnswer {
  try {
    const { status, data } = keptReply(lead, rows.shown);
    const { duplicate_of, ...shown } = data;
    const isOfSupplier = duplicate_of !== undefined && rows.earlier.has(duplicate_of);
    return {
      http_status: status,
      code: data.delivery === 'pending' ? 'PENDING' : data.status,
      body: { data: isOfSupplier ? data : shown },
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 500) throw error;
    return refusalOf(error);
  }
}

/** A refusal as it was answered, without the id of the request. */
export function refusalOf({ status, code, message, extras }: AppError): PostAnswer {
  const { field_errors, filter_errors, retry_after, lead_id } = extras;
  const all = { error: code, message, field_errors, filter_errors, retry_after, lead_id };
  const body = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { http_status: status, code, body };
}

function reasonFor(lead: SupplierLead, rows: LeadRows): string | null {
  if (lead.replay_of !== undefined)
    return 'The same request had been sent before, and got the same answer.';
  const status = supplierStatus(lead);
  if (status === 'filtered') return rulesInWords(lead.filter_errors ?? []);
  if (status === 'duplicate' && findOriginal(lead, rows))
    return 'You had posted this person to the campaign before.';
  return SHOWN[status].reason;
}

/** The rules that were not passed, in words. */
export const rulesInWords = (failures: readonly FilterFailure[]): string =>
  failures.length === 0
    ? 'It did not pass the filters of the campaign.'
    : `${failures.map(({ message }) => message).join('; ')}.`;

export const shownRules = (failures: readonly FilterFailure[] = []) =>
  failures.map(({ field, message }) => ({ field, message }));
