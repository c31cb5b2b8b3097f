/** The definition of a funnel: one schema that parses, publishes and types it (contract 13.1). */
import { z } from 'zod';
import { choice, flag, numberWithin, wholeNumber } from '../../lib/schema/settings.js';
import { Block, BLOCKS_MAX } from './blocks.js';
import { blockId, image, leadValue, listOf, shown, webAddress } from './parts.js';
import { TEXT_NAMES } from './texts.js';

const color = (fallback: string) =>
  z
    .string('must be text')
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #1d4ed8')
    .default(fallback);

export const FONTS = ['system', 'serif', 'rounded', 'mono'] as const;

const Theme = z
  .strictObject({
    optionIconStyle: choice(['emoji', 'icon', 'none'])
      .default('emoji')
      .describe('What stands before an option: its emoji, its icon or nothing'),
    logoUrl: image
      .nullable()
      .default(null)
      .describe('The logo at the head of the page: a picture as in hero, or null'),
    logoAlt: shown(120).optional().describe('What the logo says; default: the title'),
    primaryColor: color('#1d4ed8').describe('Of buttons and links'),
    accentColor: color('#0f766e').describe('Of progress, icons and stars'),
    backgroundColor: color('#ffffff').describe('Of the page'),
    textColor: color('#1f2937').describe('Of texts; readable on backgroundColor'),
    buttonTextColor: color('#ffffff').describe('Of buttons; readable on primaryColor'),
    fontFamily: choice(FONTS).default('system').describe("Fonts of the visitor's own device"),
    radius: wholeNumber(0, 24).default(8).describe('Of corners, in pixels'),
  })
  .describe('Colors and shapes');
export type Theme = z.output<typeof Theme>;

const Page = z.strictObject({
  title: shown(200).describe('The heading'),
  text: shown(2_000).optional().describe('Below the heading'),
  redirect_url: webAddress
    .optional()
    .describe('Leads the visitor there instead; its host must be among redirect_domains'),
});

const Consent = z
  .strictObject({
    text: shown(4_000).describe(
      'What the visitor agrees to, in full, shown beside a box that is never ticked beforehand; kept with each lead',
    ),
    purpose: shown(400).optional().describe('What the data is used for; kept with each consent'),
    sellers: listOf(shown(200), 200, { of: 'texts' })
      .default([])
      .describe('Whom the consent names; kept with each consent, and shown below the text'),
  })
  .describe('The consent that a lead needs');

const DOMAIN_RULE = 'must be a host such as www.example.com, without https:// and path';
const domain = z
  .string('must be text')
  .max(253, DOMAIN_RULE)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*(?::\d{1,5})?$/,
    DOMAIN_RULE,
  )
  .refine((host) => URL.canParse(`https://${host}`), DOMAIN_RULE)
  .transform((host) => host.toLowerCase());
const domains = listOf(domain, 50, { of: 'hosts' }).default([]);

const LANGUAGE_RULE = 'must be a language tag such as en, es or ar';
const language = z
  .string('must be text')
  .max(35, LANGUAGE_RULE)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, LANGUAGE_RULE)
  .default('en')
  .describe(
    'Of the page (BCP 47). It says what 1,500 is that a visitor types: 1500 in en and es-US, 1.5 in es. Texts of Leadwire itself are there in English and Spanish; every other language needs all of texts',
  );

const HIDDEN_MAX = 40;

export const FunnelDefinition = z
  .strictObject({
    language,
    title: shown(120).describe(
      'Of the page, in the tab of the browser and where its address is shared',
    ),
    description: shown(300).optional().describe('Where its address is shared'),
    theme: Theme.prefault({}),
    progress: flag().default(true).describe('Shows how far the visitor is'),
    blocks: listOf(Block, BLOCKS_MAX, { min: 1, of: 'blocks' }).describe(
      'In the order of the page. quiz_step and form are steps, shown one at a time; blocks before the first and after ' +
        'the last are always shown, a block between two steps with the step after it',
    ),
    consent: Consent,
    hidden_fields: z
      .record(z.string().min(1).max(64), leadValue, 'must be an object of fields and values')
      .refine(
        (given) => Object.keys(given).length <= HIDDEN_MAX,
        `must have at most ${HIDDEN_MAX} fields`,
      )
      .default({})
      .describe(
        'Fields of the mapping that every lead carries, such as { "source": "spring-page" }',
      ),
    thanks: Page.describe('After a lead that was accepted, or is still being decided'),
    no_buyer: Page.describe('After a lead that no buyer takes'),
    not_qualified_pages: listOf(Page.extend({ id: blockId }), 10, { of: 'pages' })
      .default([])
      .describe('Ends for visitors whose answer does not qualify: no lead is made'),
    redirect_domains: domains.describe('Hosts that redirect_url may lead to'),
    embed: z
      .strictObject({
        domains: domains.describe(
          'Hosts whose pages may show the funnel in a frame; none: no page may',
        ),
      })
      .prefault({})
      .describe('Where the funnel may be embedded'),
    certificates: z
      .strictObject({
        trusted_form: flag()
          .default(false)
          .describe('Loads TrustedForm, and sends its certificate as trustedform_cert_url'),
        jornaya_campaign_id: z
          .string('must be text')
          .regex(/^[A-Za-z0-9-]{8,64}$/, 'must be an id of 8 to 64 letters, digits and -')
          .nullable()
          .default(null)
          .describe(
            'Loads Jornaya for this account, and sends its token as jornaya_leadid; null: off',
          ),
      })
      .prefault({})
      .describe(
        'Certificates of consent, of third parties: nothing is loaded from them unless it is set here; only where funnels have an origin of their own',
      ),
    protection: z
      .strictObject({
        submissions_per_minute: numberWithin(1, 6_000)
          .default(60)
          .describe('More than this, and browsers must do more work before they may submit'),
      })
      .prefault({})
      .describe('Against bots'),
    texts: z
      .partialRecord(z.enum(TEXT_NAMES), shown(300))
      .default({})
      .describe('Texts of Leadwire itself, in the place of its own'),
  })
  .describe('What a funnel shows, asks and says');
export type FunnelDefinition = z.output<typeof FunnelDefinition>;
export type FunnelDefinitionInput = z.input<typeof FunnelDefinition>;
