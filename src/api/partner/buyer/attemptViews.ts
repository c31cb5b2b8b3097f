/** A delivery as its buyer sees it: what was sent and answered, with hidden values masked. */
import type { z } from 'zod';
import type { DeliveryState } from '../../../deliveries/store/deliveryDoc.js';
import type { ShownAttempt } from '../../../deliveries/store/buyerAttempts.js';
import type { Fields } from '../../../fields/values.js';
import type { PartnerContext } from '../call.js';
import { maskValues } from '../maskValues.js';
import type { ATTEMPT_STATES, BuyerAttempt } from '../schemas/buyer.js';
import { hiddenValues, isShown } from '../shownFields.js';
import { nameOf } from './campaigns.js';
import type { Campaigns } from './saleViews.js';

type AttemptState = (typeof ATTEMPT_STATES)[number];

const STATES: Record<DeliveryState, AttemptState> = {
  sending: 'waiting',
  parked: 'waiting',
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unanswered',
  failed: 'failed',
  abandoned: 'abandoned',
  expired: 'expired',
};

/** The states of rows that are shown as this state. */
export const statesShownAs = (shown: AttemptState): DeliveryState[] =>
  (Object.keys(STATES) as DeliveryState[]).filter(
    (state) => STATES[state] === shown && state !== 'sending',
  );

/** The data of the lead that was sent; `isOwn`: the buyer bought it. */
export interface SentLead {
  fields: Fields;
  extra: Fields;
  isOwn: boolean;
}

export function attemptView(
  row: ShownAttempt,
  lead: SentLead | undefined,
  { settings }: Pick<PartnerContext, 'settings'>,
  campaigns: Campaigns,
): z.input<typeof BuyerAttempt> {
  const isUnanswered = row.unanswered === true && row.state === 'parked';
  const hidden = lead ? hiddenValues(settings, lead.fields, lead.extra) : [];
  const masked = (text: string | undefined): string | null => {
    if (text === undefined) return null;
    // Without the lead it is unknown which parts of the answer repeat it.
    return lead || settings.fields === null ? maskValues(text, hidden) : MASKED;
  };
  return {
    id: row._id,
    lead_id: row.lead_id,
    campaign: nameOf(campaigns, row.campaign_id),
    created_at: row.created_at,
    settled_at: row.settled_at,
    state: isUnanswered ? 'unanswered' : STATES[row.state],
    tries: row.tries,
    http_status: row.http_status,
    latency_ms: row.latency_ms,
    reason: masked(row.reason),
    reference: masked(row.reference),
    answer: masked(row.excerpt),
    request: lead ? requestOf(lead, settings) : [],
    due_at: row.state === 'parked' && !row.held ? row.due_at : null,
    is_held: row.held === true,
    can_resend: row.state === 'parked' && settings.resend,
  };
}

const MASKED = '[hidden]';

/** Hides the values of a lead that this buyer did not buy: another buyer may have. */
const requestOf = ({ fields, isOwn }: SentLead, settings: PartnerContext['settings']) =>
  Object.entries(fields)
    .filter(([name]) => isShown(settings, name))
    .map(([name, value]) => ({ name, value: isOwn ? value : null }));

/** The leads of rows, by id. */
export async function readSentLeads(
  rows: readonly { lead_id: string }[],
  { collections, org_id, party_id }: PartnerContext,
): Promise<Map<string, SentLead>> {
  const ids = new Set(rows.map(({ lead_id }) => lead_id));
  const found = await collections.leads
    .find({ _id: { $in: [...ids] }, org_id })
    .project<{ _id: string; fields: Fields; extra: Fields; sales: { buyer_id: string }[] }>({
      fields: 1,
      extra: 1,
      'sales.buyer_id': 1,
    })
    .toArray();
  return new Map(
    found.map(({ _id, fields, extra, sales }) => [
      _id,
      { fields, extra, isOwn: sales.some(({ buyer_id }) => buyer_id === party_id) },
    ]),
  );
}
