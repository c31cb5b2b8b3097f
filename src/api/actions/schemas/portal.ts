/** Portals and change requests on the wire. */
import { z } from 'zod';
import { SIDES } from '../../../portal/settingsSchema.js';
import { Instant, named, namedOnce, orNull } from './common.js';
import { PartyView } from './members.js';

const color = z.string().nullable();

export const PortalView = z.object({
  side: z.enum(SIDES).describe('Of buyers or of suppliers'),
  party: PartyView.nullable().describe('The partner; null: the settings for all of the side'),
  is_enabled: z.boolean().describe('The portal is open; always false of the settings for a side'),
  portal_url: z.string().describe('Where its people sign in'),
  fields: z.array(z.string()).nullable().describe('Fields of a lead shown; null: all'),
  field_names: z.array(z.string()).describe('Every field that a campaign has, at most 500'),
  returns: z.boolean().describe('Buyers may request returns'),
  pause: z.enum(['off', 'request', 'direct']).describe('Whether partners may pause themselves'),
  change_requests: z.boolean().describe('Buyers may ask for changes of their terms'),
  exports: z.boolean().describe('Lists can be downloaded as CSV'),
  resend: z.boolean().describe('Buyers may have deliveries sent again'),
  show_buyer_names: z.boolean().describe('Suppliers see the names of buyers'),
  show_prices: z.boolean().describe('Suppliers see what buyers paid'),
  display_name: z.string().nullable().describe('The name shown; null: that of the organization'),
  has_logo: z.boolean().describe('A logo is shown'),
  primary_color: color.describe("Of buttons and links; null: the portal's own"),
  accent_color: color.describe("Of highlights; null: the portal's own"),
  dark_primary_color: color.describe('The shade of it in the dark theme'),
  dark_accent_color: color.describe('The shade of it in the dark theme'),
  own: z
    .array(z.string())
    .describe('Settings made here; the others are those of the side, or defaults'),
});

export const PortalRow = z.object({
  side: z.enum(SIDES).describe('Of buyers or of suppliers'),
  party: PartyView.describe('Whose portal it is'),
  created_at: Instant.describe('When it was first set up, in UTC'),
  updated_at: Instant.describe('When it was last changed, in UTC'),
});

const person = z.object({
  kind: z.enum(['person', 'key']).describe('A person, or a key of the API'),
  ...named('person or key').shape,
});

export const ChangeStateName = z.enum(['pending', 'approved', 'refused', 'stale', 'withdrawn']);

export const ChangeRequestView = z.object({
  id: z.string().describe('Id of the change request (chg_…)'),
  party: PartyView.describe('Who asks'),
  campaign: namedOnce('campaign')
    .nullable()
    .describe('Where the terms are changed; null: the partner as a whole'),
  changes: z
    .array(
      z.object({
        name: z.string().describe('The term, such as price or daily_cap'),
        before: z.unknown().describe('As it was; null: none'),
        after: z.unknown().describe('As it is to be; null: none'),
      }),
    )
    .describe('The requested changes, money in currency'),
  reason: z.string().nullable().describe('What the partner says of it'),
  state: ChangeStateName.describe(
    'stale: the terms were changed meanwhile, so it cannot be approved',
  ),
  base_version: z.number().int().describe('The version of the campaign at the request'),
  requested_at: Instant.describe('In UTC'),
  requested_by: person.describe('The person who requested it'),
  resolved_at: orNull(Instant).describe('When it was decided, in UTC; null: not yet'),
  resolved_by: orNull(person).describe('Who decided; null: undecided, or stale'),
  note: orNull(z.string()).describe('What the decider says of it'),
});
