/** The deliveries to a buyer, and resending one. */
import { z } from 'zod';
import {
  attemptsOfLead,
  findAttempts,
  type ShownAttempt,
} from '../../../deliveries/store/buyerAttempts.js';
import { CommandRefused, CommandUnanswered } from '../../../distribution/commands/errors.js';
import { AppError } from '../../../lib/errors.js';
import { pageOf } from '../../actions/paging.js';
import { LEADS, PEOPLE } from '../../actions/exits.js';
import { definePagedPartnerCall, definePartnerCall, type PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import { notYours } from '../refusals.js';
import { PAGE_ROWS, LeadId, InstantText, Cursor, orNull } from '../schemas/shared.js';
import { attemptView, readSentLeads, statesShownAs } from './attemptViews.js';
import { campaignsOf } from './campaigns.js';
import { ATTEMPT_STATES, BuyerAttempt } from '../schemas/buyer.js';

export const listAttempts = definePagedPartnerCall({
  name: 'list_attempts',
  effect: 'read',
  letsOut: [PEOPLE],
  input: z.strictObject({
    state: z.enum(ATTEMPT_STATES).optional(),
    lead_id: LeadId.optional(),
    from: InstantText.optional(),
    to: InstantText.optional(),
    cursor: Cursor,
  }),
  output: z.array(BuyerAttempt),
  async run({ state, lead_id, from, to, cursor }, context) {
    const { collections, org_id, party_id: buyer_id } = context;
    if (lead_id !== undefined) {
      const rows = await attemptsOfLead(collections.deliveries, { org_id, buyer_id, lead_id });
      const data = (await attemptRows(rows.toReversed(), context)).filter(
        (row) => state === undefined || row.state === state,
      );
      return { data, next_cursor: null };
    }
    const filter = {
      org_id,
      buyer_id,
      states: state && statesShownAs(state),
      from: from ? new Date(from) : undefined,
      before: to ? new Date(to) : undefined,
    };
    const page = await pageOf(
      'list_attempts',
      { limit: PAGE_ROWS, cursor },
      async (wanted) => (await findAttempts(collections.deliveries, filter, wanted)) ?? tooMany(),
    );
    return { ...page, data: await attemptRows(page.data, context) };
  },
});

const tooMany = (): never => {
  throw invalidField(
    'from',
    'out_of_range',
    'Too many deliveries would have to be read: ask for fewer days.',
  );
};

/** Rows of lists, with what was sent. */
async function attemptRows(rows: readonly ShownAttempt[], context: PartnerContext) {
  const [campaigns, leads] = await Promise.all([
    campaignsOf(rows, context),
    readSentLeads(rows, context),
  ]);
  return rows.map((row) => attemptView(row, leads.get(row.lead_id), context, campaigns));
}

export const resendDelivery = definePartnerCall({
  name: 'resend_delivery',
  effect: 'write',
  permits: 'resend',
  letsOut: [LEADS],
  input: z.strictObject({ lead_id: LeadId }),
  output: z.object({
    sent: z.number().int(),
    /** Rows whose lead a worker is processing now. */
    busy: z.number().int(),
    attempt: orNull(BuyerAttempt),
  }),
  async run({ lead_id }, context) {
    const { collections, org_id, party_id: buyer_id, signedIn } = context;
    const mine = { org_id, buyer_id, lead_id };
    const rows = await attemptsOfLead(collections.deliveries, mine);
    if (rows.length === 0) throw notYours();
    await requireWaiting(rows, context);
    const by = signedIn.person.name.slice(0, 200) || 'portal';
    const { rows: sent, busy } = await context.queue
      .retry({ ...mine, by })
      .catch(refusedInOwnWords);
    const after = await attemptsOfLead(collections.deliveries, mine);
    const shown = await attemptRows(after, context);
    return { sent, busy, attempt: shown.at(-1) };
  },
});

/** Only the operator may resend a delivery on hold: a request of the buyer would end the hold. */
async function requireWaiting(
  rows: readonly ShownAttempt[],
  { collections, party_id }: PartnerContext,
): Promise<void> {
  const waiting = rows.filter(({ state }) => state === 'parked');
  if (waiting.length === 0)
    throw invalidField('lead_id', 'not_allowed', 'This delivery does not wait to be sent again.');
  const queue = await collections.destinations.findOne(
    { _id: party_id },
    { projection: { held: 1 } },
  );
  if (queue?.held === true || waiting.every(({ held }) => held === true))
    throw invalidField(
      'lead_id',
      'not_allowed',
      'Your contact holds this delivery, and can have it sent.',
    );
}

/** The account's message would reveal the lead's state at other buyers. */
function refusedInOwnWords(error: unknown): never {
  if (error instanceof CommandRefused)
    throw invalidField('lead_id', 'not_allowed', 'This delivery cannot be sent again now.');
  if (!(error instanceof CommandUnanswered)) throw error;
  const message =
    'It takes longer and continues in the background. Check the deliveries in a minute.';
  throw new AppError('outcome_unknown', message, { retry_after: 10, cause: error });
}
