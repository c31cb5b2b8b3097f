/** The portals of buyers and suppliers: opening them, and the rights in them. */
import { z } from 'zod';
import {
  configurePortal,
  enablePortal,
  listPortals,
  requireParty,
  type Place,
} from '../../../portal/configure.js';
import { readFieldNames } from '../../../account/buyers/delivery.js';
import type { PartnerRole } from '../../../people/types.js';
import { PICTURE_TEXT_MAX } from '../../../account/rules/pictureSize.js';
import { readSettings, settingsId, type Party } from '../../../portal/settings.js';
import { PortalRulesPatch, SIDES, type Side } from '../../../portal/settingsSchema.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { ACCESS, type Exit } from '../exits.js';
import { grantedBy } from '../members.js';
import { readPartyNames } from '../recordNames.js';
import { partyGiven, partyInput } from '../portalInput.js';
import { invalidField } from '../readInput.js';
import { id } from '../schemas/common.js';
import { Email, InviteUrl, PartnerRoleName } from '../schemas/members.js';
import { PortalRow, PortalView } from '../schemas/portal.js';
import { invitePartner, RIGHTS_GIVEN } from './portalMembers.js';

/** Fields from which a form offers those that partners see. */
const FIELDS_SHOWN = 500;
const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const EXAMPLE_SUPPLIER = '0f7c0c5e-8a7b-4d8e-9b55-5c1f0a3d2e61';

const side = z.enum(SIDES);

const enableInput = {
  enabled: z.boolean().default(true).describe('false: closes it; its people lose access at once'),
  email: Email.optional().describe('Also invites this person, as an admin of the portal'),
  role: PartnerRoleName.default('admin').describe('Of the person who is invited'),
};
const Enabled = PortalView.extend({
  invite_url: InviteUrl.describe(
    'The invitation, shown only once, to hand over; null: it was mailed, or no person was invited',
  ),
});

const OPENING_NEEDS = `Opening it gives its people their roles. ${RIGHTS_GIVEN}`;

interface Opening {
  enabled: boolean;
  email?: string;
  role: PartnerRole;
}

/** Opening lets in all of its people, who may be admins, whatever the role of the one who is invited. */
const givenBy = (kind: Side, { enabled, email, role }: Opening) =>
  enabled || email !== undefined ? grantedBy(kind, enabled ? 'admin' : role) : null;

async function enable(
  party: Party,
  { enabled, email, role }: Opening,
  context: ActionContext,
): Promise<z.input<typeof Enabled>> {
  await enablePortal(context.caller.org_id, party, enabled, context);
  const invited = email === undefined ? null : await invitePartner(party, { email, role }, context);
  return { ...(await portalView(party, context)), invite_url: invited?.invite_url };
}

export const enableBuyerPortal = defineAction({
  name: 'enable_buyer_portal',
  cli: ['portal', 'enable-buyer'],
  summary: "Open a buyer's portal, or close it",
  description:
    'Opens the portal of a buyer, where its people see its own leads, return leads and report outcomes, as ' +
    `configure_portal_settings allows. They see no cost, margin, supplier or other buyer. ${OPENING_NEEDS}`,
  idempotent: true,
  permission: 'portal:write',
  gives: (input) => givenBy('buyer', input),
  letsOut: [ACCESS],
  input: z.strictObject({ buyer_id: id('buyer'), ...enableInput }),
  example: { buyer_id: EXAMPLE_BUYER, email: 'ada@example.com' },
  output: Enabled,
  run: ({ buyer_id, ...settings }, context) =>
    enable({ side: 'buyer', party_id: buyer_id }, settings, context),
});

export const enableSupplierPortal = defineAction({
  name: 'enable_supplier_portal',
  cli: ['portal', 'enable-supplier'],
  summary: "Open a supplier's portal, or close it",
  description:
    'Opens the portal of a supplier, where its people see the status of its posts, its payout and its posting guide, ' +
    `as configure_portal_settings allows. They see no buyer and no price unless that is allowed. ${OPENING_NEEDS}`,
  idempotent: true,
  permission: 'portal:write',
  gives: (input) => givenBy('supplier', input),
  letsOut: [ACCESS],
  input: z.strictObject({ supplier_id: id('supplier'), ...enableInput }),
  example: { supplier_id: EXAMPLE_SUPPLIER, email: 'ada@example.com' },
  output: Enabled,
  run: ({ supplier_id, ...settings }, context) =>
    enable({ side: 'supplier', party_id: supplier_id }, settings, context),
});

const placeInput = {
  ...partyInput,
  side: side.optional().describe('Without a partner: the settings for all buyers or all suppliers'),
};

const isNamed = (given: object): boolean =>
  Object.values(given).some((value) => value !== undefined);

/** @throws {AppError} `invalid_input` unless a partner or a side is named */
function placeOf(given: {
  buyer_id?: string;
  supplier_id?: string;
  side?: 'buyer' | 'supplier';
}): Place {
  const party = partyGiven(given);
  if (party && given.side !== undefined && given.side !== party.side)
    throw invalidField('side', 'not_allowed', `side must be ${party.side}, or absent.`);
  if (party) return party;
  if (given.side !== undefined) return { side: given.side };
  const message = 'Give buyer_id or supplier_id, or side for all buyers or all suppliers.';
  throw invalidField('buyer_id', 'required', message);
}

export const getPortalSettings = defineAction({
  name: 'get_portal_settings',
  cli: ['portal', 'settings'],
  summary: 'Show the settings of a portal',
  description:
    'The settings in effect for one buyer or supplier, or those for a whole side (all buyers where none is ' +
    'named); own names the settings that were made there.',
  permission: 'portal:read',
  input: z.strictObject(placeInput),
  example: { buyer_id: EXAMPLE_BUYER },
  output: PortalView,
  run: (input, context) => portalView(isNamed(input) ? placeOf(input) : { side: 'buyer' }, context),
});

/** The settings that decide which data partners see; the others decide what they may do, or how the portal looks. */
const SHOWING = ['fields', 'exports', 'show_buyer_names', 'show_prices'] as const;

const SHOWN_TO_PARTNERS: Exit<Partial<Record<(typeof SHOWING)[number], unknown>>> = {
  ...ACCESS,
  when: `${SHOWING.slice(0, -1).join(', ')} or ${SHOWING.at(-1)} is given`,
  isFor: (input) => SHOWING.some((key) => input[key] !== undefined),
};

export const configurePortalSettings = defineAction({
  name: 'configure_portal_settings',
  cli: ['portal', 'configure'],
  summary: 'Set what partners see and do in their portal',
  description:
    'For one buyer or supplier, or with side for all of them. Changes only the settings given, from the next request ' +
    'on; null resets a setting: that of a partner to that of its side, that of a side to the default.',
  idempotent: true,
  permission: 'portal:write',
  letsOut: [SHOWN_TO_PARTNERS],
  bodyMax: PICTURE_TEXT_MAX + 16_384,
  input: z.strictObject({
    ...placeInput,
    ...PortalRulesPatch.shape,
    logo: z
      // The picture is limited by its bytes; a limit in characters would help no caller.
      .string()
      .nullable()
      .optional()
      .describe(
        'A PNG or JPEG in base64, at most 200000 bytes and 2000 × 2000 pixels; null: removes it',
      ),
  }),
  example: { buyer_id: EXAMPLE_BUYER, fields: ['first_name', 'state'], pause: 'direct' },
  output: PortalView,
  async run({ buyer_id, supplier_id, side: given, ...settings }, context) {
    const place = placeOf({ buyer_id, supplier_id, side: given });
    await configurePortal(context.caller.org_id, place, settings, context);
    return portalView(place, context);
  },
});

export const listPortalsAction = defineList({
  name: 'list_portals',
  cli: ['portal', 'list'],
  summary: 'List the portals that are open',
  description: 'The buyers and suppliers whose portal is open, newest first.',
  permission: 'portal:read',
  filters: {
    side: side.optional().describe('Only those of this side'),
  },
  example: { side: 'buyer' },
  output: z.array(PortalRow),
  find: ({ side: of }, { collections, orgId }, wanted) =>
    listPortals(collections, orgId, of, wanted),
  async show(docs, { collections, orgId }) {
    const portals = docs.map(({ party_id = '', ...doc }) => ({ ...doc, party_id }));
    const names = await readPartyNames(collections, orgId, portals);
    return portals.map((portal) => ({ ...portal, party: names.party(portal) }));
  },
});

async function portalView(
  place: Place,
  { collections, caller, siteUrl }: ActionContext,
): Promise<z.input<typeof PortalView>> {
  const { org_id } = caller;
  const { side: of, party_id } = place;
  const party = party_id === undefined ? null : { side: of, party_id };
  const named = party && (await requireParty(collections, org_id, party));
  const [settings, names, doc] = await Promise.all([
    readSettings(collections, org_id, place),
    readFieldNames({ collections, orgId: org_id }),
    collections.portalSettings.findOne({ _id: settingsId(org_id, of, party_id) }),
  ]);
  const { branding, ...rules } = settings;
  const { name, logo_id, ...colors } = branding;
  return {
    side: of,
    party: party && { kind: of, id: party.party_id, name: named?.name },
    portal_url: `${siteUrl().replace(/\/$/, '')}/sign-in`,
    ...rules,
    field_names: names.slice(0, FIELDS_SHOWN),
    ...colors,
    display_name: name,
    has_logo: logo_id !== null,
    own: [...Object.keys(doc?.rules ?? {}), ...(doc?.logo_id === undefined ? [] : ['logo'])],
  };
}
