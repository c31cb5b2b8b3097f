/** The changes of terms that a buyer requests; its operator decides. */
import { z } from 'zod';
import {
  createChangeRequest,
  listChangeRequests,
  withdrawChangeRequest,
} from '../../../portal/changeRequests.js';
import type { AskedChange } from '../../../portal/askedTerms.js';
import { termChanges } from '../../../portal/rules/changedTerms.js';
import type { Party } from '../../../portal/settings.js';
import type { ChangePerson, ChangeRequestDoc } from '../../../portal/store/changeRequestDocs.js';
import { pageOf } from '../../actions/paging.js';
import { definePagedPartnerCall, definePartnerCall, type PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import { PAGE_ROWS, Named, Instant, orNull, CampaignId, Cursor } from '../schemas/shared.js';
import { shownRules, hasHidden, namedFields } from '../shownFields.js';
import { nameOf, readCampaigns, requireLink } from './campaigns.js';
import type { Campaigns } from './saleViews.js';
import { among } from './terms.js';
import { BUYER_LINK } from '../../../account/settings/buyerLinkTerms.js';
import { ASKED_BY_NAME } from '../../../account/settings/partnerTerms.js';

const CHANGE_STATES = ['pending', 'approved', 'refused', 'stale', 'withdrawn'] as const;

const BuyerChange = z.object({
  id: z.string(),
  /** Null: the buyer as a whole. */
  campaign: Named.nullable(),
  /** The differences, each with the present value and the requested one. */
  changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  reason: z.string().nullable(),
  state: z.enum(CHANGE_STATES),
  requested_at: Instant,
  requested_by: z.string(),
  resolved_at: orNull(Instant),
  /** The operator's note on it. */
  note: orNull(z.string()),
});

export const asChangePerson = ({ signedIn }: PartnerContext): ChangePerson => ({
  kind: 'person',
  id: signedIn.person.id,
  name: signedIn.person.name,
});

const partyOf = ({ party_id }: PartnerContext): Party => ({ side: 'buyer', party_id });

export const requestChange = definePartnerCall({
  name: 'request_change',
  effect: 'write',
  permits: 'change_requests',
  input: z.strictObject({
    campaign_id: CampaignId,
    ...among(BUYER_LINK.inFile, ASKED_BY_NAME),
    reason: z.string().trim().max(2_000).nullable().default(null),
    /** `version` of the terms that were shown; a newer one by now is a conflict. */
    version: z.int().optional(),
  }),
  output: BuyerChange,
  async run({ campaign_id, reason, version, ...terms }, context) {
    const asked = terms as AskedChange;
    const link = await requireLink(campaign_id, context);
    const campaigns = await readCampaigns([campaign_id], context);
    if (asked.filters !== undefined) {
      if (hasHidden(context.settings, link.filters))
        throw invalidField(
          'filters',
          'not_allowed',
          'filters cannot be changed here; ask your contact.',
        );
      const rules = shownRules(context.settings, campaigns.get(campaign_id)?.fields ?? []);
      requireKnown(asked.filters, new Set(rules.map(({ name }) => name)));
    }
    const request = await createChangeRequest(
      {
        org_id: context.org_id,
        party: partyOf(context),
        campaign_id,
        asked,
        reason: reason === '' ? null : reason,
        version,
        by: asChangePerson(context),
      },
      context,
    );
    return changeView(request, campaigns, context);
  },
});

/** A hidden field gets the same refusal as an unknown one: no hint distinguishes them. */
function requireKnown(filters: unknown, known: ReadonlySet<string>): void {
  const stray = namedFields(filters).find(({ name }) => !known.has(name));
  if (!stray) return;
  const { path, name } = stray;
  throw invalidField(path, 'not_allowed', `${path}: there is no field ${name.slice(0, 64)}.`);
}

export const listChanges = definePagedPartnerCall({
  name: 'list_changes',
  effect: 'read',
  input: z.strictObject({ state: z.enum(CHANGE_STATES).optional(), cursor: Cursor }),
  output: z.array(BuyerChange),
  async run({ state, cursor }, context) {
    const { collections, org_id } = context;
    const page = await pageOf('list_changes', { limit: PAGE_ROWS, cursor }, (wanted) =>
      listChangeRequests(collections, { org_id, party: partyOf(context), state }, wanted),
    );
    const ids = page.data.flatMap(({ campaign_id }) => campaign_id ?? []);
    const campaigns = await readCampaigns(ids, context);
    return { ...page, data: page.data.map((one) => changeView(one, campaigns, context)) };
  },
});

export const withdrawChange = definePartnerCall({
  name: 'withdraw_change',
  effect: 'write',
  input: z.strictObject({ change_id: z.string().min(1).max(100) }),
  output: BuyerChange,
  async run({ change_id }, context) {
    const { org_id } = context;
    const withdrawn = await withdrawChangeRequest(
      { org_id, party: partyOf(context), id: change_id, by: asChangePerson(context) },
      context,
    );
    const ids = withdrawn.campaign_id === null ? [] : [withdrawn.campaign_id];
    return changeView(withdrawn, await readCampaigns(ids, context), context);
  },
});

function changeView(
  request: ChangeRequestDoc,
  campaigns: Campaigns,
  { settings }: PartnerContext,
): z.input<typeof BuyerChange> {
  const { before, after, campaign_id } = request;
  const isHidden = hasHidden(settings, before.filters) || hasHidden(settings, after.filters);
  return {
    ...request,
    id: request._id,
    campaign: campaign_id === null ? null : nameOf(campaigns, campaign_id),
    changes: termChanges(before, after).map((change) =>
      change.name === 'filters' && isHidden ? { name: change.name, ...MASKED } : change,
    ),
    requested_at: request.created_at,
    requested_by: request.requested_by.name,
  };
}

const MASKED = { before: '[hidden]', after: '[hidden]' };
