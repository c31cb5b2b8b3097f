/** The changes that partners request, and the decisions. */
import { z } from 'zod';
import { requireParty } from '../../../portal/configure.js';
import { listChangeRequests } from '../../../portal/changeRequests.js';
import { resolveChangeRequest } from '../../../portal/resolveChange.js';
import { termChanges } from '../../../portal/rules/changedTerms.js';
import type { ChangeRequestDoc } from '../../../portal/store/changeRequestDocs.js';
import { defineAction, defineList } from '../action.js';
import { readPartyNames, type PartyNames } from '../recordNames.js';
import { partyGiven, partyInput } from '../portalInput.js';
import { id } from '../schemas/common.js';
import { ChangeRequestView, ChangeStateName } from '../schemas/portal.js';

const EXAMPLE_REQUEST = 'chg_3f9a60c17a3d4a539a510f2b';

export const listChangeRequestsAction = defineList({
  name: 'list_change_requests',
  cli: ['portal', 'list-changes'],
  summary: 'List what partners ask to have changed',
  description:
    'Requests for other prices, caps, states or filters, and to pause or resume, newest first: each term as it was and ' +
    'as it is to be.',
  permission: 'portal:read',
  filters: {
    state: ChangeStateName.optional().describe('Only requests in this state'),
    request_id: id('change request').optional().describe('Only this one'),
    ...partyInput,
  },
  example: { state: 'pending' },
  output: z.array(ChangeRequestView),
  async find({ state, request_id, ...given }, { collections, orgId: org_id }, wanted) {
    const party = partyGiven(given);
    if (party) await requireParty(collections, org_id, party);
    return listChangeRequests(collections, { org_id, party, state, id: request_id }, wanted);
  },
  async show(requests, { collections, orgId }) {
    const names = await readPartyNames(collections, orgId, requests);
    return requests.map((request) => changeView(request, names));
  },
});

/** Only callers who may change campaigns may change their terms. */
const CAMPAIGNS_WRITE = {
  permission: 'campaigns:write',
  when: 'the request is approved, which changes the terms of a campaign',
  subject: 'Approving a change',
  isFor: ({ result }: { result: 'approve' | 'refuse' }) => result === 'approve',
} as const;

export const resolveChangeRequestAction = defineAction({
  name: 'resolve_change_request',
  cli: ['portal', 'resolve-change'],
  summary: 'Approve or refuse what a partner asks for',
  description:
    'With approve, the terms are changed at once, as a new version of the campaign. If one of them has been changed since the request, the call is refused and the request is stale. A decision is final; the same ' +
    'call repeated by the same caller returns it again.',
  idempotent: true,
  permission: 'portal:write',
  alsoNeeds: CAMPAIGNS_WRITE,
  input: z.strictObject({
    request_id: z.string().min(1).max(100).describe('The id of the change request'),
    result: z.enum(['approve', 'refuse']),
    note: z
      .string()
      .max(2_000)
      .nullable()
      .default(null)
      .describe('Shown to the partner, up to 2000 characters'),
  }),
  example: { request_id: EXAMPLE_REQUEST, result: 'approve' },
  output: ChangeRequestView,
  async run({ request_id, result, note }, context) {
    const { collections, caller } = context;
    const { kind, id: by, name } = caller.actor;
    const decision = {
      org_id: caller.org_id,
      id: request_id,
      result,
      note,
      by: { kind, id: by, name },
    };
    const request = await resolveChangeRequest(decision, context);
    return changeView(request, await readPartyNames(collections, caller.org_id, [request]));
  },
});

const changeView = (request: ChangeRequestDoc, names: PartyNames) => ({
  ...request,
  id: request._id,
  party: names.party(request),
  campaign: names.campaign(request),
  changes: termChanges(request.before, request.after),
  requested_at: request.created_at,
});
