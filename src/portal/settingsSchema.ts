/** What partners may see and do in their portal: what the settings may hold, published, parsed and typed. */
import { z } from 'zod';
import { patchOf } from '../lib/schema/patchOf.js';
import { choice, flag, optionalText, texts } from '../lib/schema/settings.js';
import { customIssue } from '../lib/schema/zodIssues.js';
import { CONTRAST_MIN, contrastOf, readableOn } from '../lib/contrast.js';

/** What text stands on in both themes, as `src/web/app/ui/tokens.css` has it: the one with the least contrast. */
export const SURFACES = { light: '#f6f7f8', dark: '#1c2024' } as const;

export const SIDES = ['buyer', 'supplier'] as const;
export type Side = (typeof SIDES)[number];

const FIELDS_MAX = 200;
/** Stands for every field of the mapping. */
export const ALL_FIELDS = '*';

const color = z
  .string('must be text')
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1d4ed8')
  .transform((written) => written.toLowerCase())
  .superRefine((written, context) => {
    const ratio = contrastOf(written, SURFACES.light);
    if (ratio >= CONTRAST_MIN) return;
    const shade = readableOn(written, SURFACES.light);
    const rule =
      `must have a contrast of at least ${CONTRAST_MIN}:1 on the light background ${SURFACES.light}; ${written} has ` +
      `${ratio.toFixed(2)}:1, and the nearest shade that would do is ${shade}`;
    context.addIssue({ ...customIssue('not_allowed', rule), input: written });
  })
  .nullable()
  .default(null);

/** The settings as a person makes them, for all partners of a side or for one of them. */
export const PortalRules = z.strictObject({
  fields: texts(FIELDS_MAX)
    .default([ALL_FIELDS])
    .describe('Fields shown, by name; "*": all fields. Default: "*"'),
  returns: flag().default(true).describe('Buyers may request returns; default true'),
  pause: choice(['off', 'request', 'direct'])
    .default('request')
    .describe(
      'Whether partners may pause: off, request (with your approval) or direct (immediately)',
    ),
  change_requests: flag()
    .default(true)
    .describe('Buyers may request changes of caps, prices, states and filters; default true'),
  exports: flag().default(true).describe('Lists can be exported as CSV; default true'),
  resend: flag().default(true).describe('Buyers may resend deliveries; default true'),
  show_buyer_names: flag()
    .default(false)
    .describe('Suppliers see the names of buyers; default false'),
  show_prices: flag()
    .default(false)
    .describe('Suppliers see the prices that buyers paid; default false'),
  display_name: optionalText(120).describe(
    'The name that the portal shows; default: the name of the organization',
  ),
  primary_color: color.describe(
    'Of buttons and links, such as #1d4ed8; dark enough for the light theme',
  ),
  accent_color: color.describe('Of highlights, such as #0f766e; dark enough for the light theme'),
});
export type PortalRules = z.output<typeof PortalRules>;

/** Null takes a setting back: of one partner to that of its side, of a side to the default. */
export const PortalRulesPatch = patchOf(PortalRules);
export type PortalRulesInput = z.input<typeof PortalRulesPatch>;

const shade = z.string().nullable();

/** What the portal of one partner goes by. */
export const PortalSettings = z.object({
  is_enabled: z.boolean(),
  /** Null: all of the mapping. */
  fields: z.array(z.string()).nullable(),
  returns: z.boolean(),
  pause: z.enum(['off', 'request', 'direct']),
  change_requests: z.boolean(),
  exports: z.boolean(),
  resend: z.boolean(),
  show_buyer_names: z.boolean(),
  show_prices: z.boolean(),
  branding: z.object({
    /** Null: the organization's. */
    name: z.string().nullable(),
    /** Served by `GET /portal/api/:membership/logo?v=<logo_id>`; null: none. */
    logo_id: z.string().nullable(),
    /** Null: the portal's own colors. Each is readable on the surface of its theme. */
    primary_color: shade,
    accent_color: shade,
    dark_primary_color: shade,
    dark_accent_color: shade,
  }),
});
export type PortalSettings = z.output<typeof PortalSettings>;

/** @param logo_id of the logo that is shown */
export function settingsOf(
  rules: PortalRules,
  { is_enabled, logo_id }: { is_enabled: boolean; logo_id: string | null },
): PortalSettings {
  const { display_name, primary_color, accent_color, fields, ...flags } = rules;
  const dark = (given: string | null) => given && readableOn(given, SURFACES.dark);
  return {
    ...flags,
    is_enabled,
    fields: fields.includes(ALL_FIELDS) ? null : fields,
    branding: {
      name: display_name,
      logo_id,
      primary_color,
      accent_color,
      dark_primary_color: dark(primary_color),
      dark_accent_color: dark(accent_color),
    },
  };
}
