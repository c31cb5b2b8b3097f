/**
 * What the calls of both partner portals take and return. Money is in the currency of the account; days are in its time
 * zone. Every list returns `next_cursor` next to its rows.
 */
import { z } from 'zod';
import { CAP_WINDOWS } from '../../../account/rules/capLimits.js';
import { InstantText, Instant, orNull } from '../../actions/schemas/common.js';
import { PortalSettings } from '../../../portal/settingsSchema.js';

export { InstantText, Instant, orNull };
export const Day = z.iso
  .date()
  .describe('A day such as 2026-11-21, in the time zone of the account');
/** In the currency of the account. */
export const Amount = z.number();
export const NoInput = z.strictObject({});
export const Done = z.object({ done: z.literal(true) });
/** What is left of a cap or a budget. */
export const LimitLeft = z.object({
  window: z.enum(CAP_WINDOWS.map(({ window }) => window)),
  limit: z.number(),
  used: z.number(),
  left: z.number(),
  /** When it starts again from zero; null: never. */
  resets_at: Instant.nullable(),
});
export const Named = z.object({ id: z.string(), name: z.string() });

const recordId = (kind: string) => z.string().min(1).max(100).describe(`The id of a ${kind}`);
export const CampaignId = recordId('campaign');
export const LeadId = recordId('lead');

/** Of a report: at most 92 days; default: the last 30. */
export const SpanInput = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  campaign_id: CampaignId.optional(),
});

/** Rows of a page of every list. */
export const PAGE_ROWS = 50;
/** next_cursor of the previous page; absent: the first page. */
export const Cursor = z.string().max(500).optional();
export const PartnerRoleName = z.enum(['admin', 'viewer']);

/** What `GET /portal/api/:membership/me` returns. */
export const PartnerMe = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  membership: z.object({
    id: z.string(),
    side: z.enum(['buyer', 'supplier']),
    role: PartnerRoleName,
  }),
  /** Signed in, or confirmed, a short time ago: secrets and the team require it. */
  is_fresh: z.boolean(),
  organization: z.object({ name: z.string(), time_zone: z.string(), currency: z.string() }),
  party: Named,
  /** An admin of the organization sees the portal, by its own membership. */
  is_visit: z.boolean(),
  settings: PortalSettings.omit({ is_enabled: true, fields: true }),
  /** The calls and files that this person may use, by name; screens hide the others. */
  calls: z.array(z.string()),
  files: z.array(z.string()),
});
