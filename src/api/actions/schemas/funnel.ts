/** Funnels on the wire. */
import { z } from 'zod';
import { FunnelDefinition } from '../../../funnels/rules/definition.js';
import { TEMPLATE_NAMES } from '../../../funnels/rules/templates/names.js';
import { FUNNEL_STATUSES } from '../../../funnels/store/funnelDocs.js';
import { SUSPECT_REASONS } from '../../../leads/rules/origin.js';
import { jsonSchema } from '../../../lib/jsonSchema.js';
import { Instant, Money, namedOnce, orNull, recordId } from './common.js';
import { span } from './report.js';

/** A small one: what a campaign requires comes on top. */
const EXAMPLE_DEFINITION = {
  title: 'Get a quote',
  blocks: [
    { type: 'form', id: 'contact', title: 'You', fields: [{ name: 'email', label: 'Email' }] },
  ],
  consent: { text: 'I agree to be called.' },
  thanks: { title: 'Thanks' },
  no_buyer: { title: 'Sorry' },
};

/** Published as the schema of definitions, which reads it with the rules of the account: every fault is named at once. */
export const Definition = z.unknown().meta({
  ...jsonSchema(FunnelDefinition, 'input'),
  examples: [EXAMPLE_DEFINITION],
});

/** Pictures of a definition count: as `data:` addresses they are a third longer than their bytes. */
export const DEFINITION_BODY_MAX = 4_000_000;

export const TemplateWord = z.enum(TEMPLATE_NAMES);
export const FunnelStatusWord = z.enum(FUNNEL_STATUSES);

export const FunnelRow = z.object({
  id: z.string().describe('Id of the funnel (fun_…)'),
  name: z.string().describe('Its name'),
  template: TemplateWord.describe('What it began from'),
  campaign: namedOnce('campaign').describe('The campaign that its leads go to'),
  supplier: namedOnce('supplier').describe('The supplier that its leads go in the name of'),
  slug: z.string().describe('Its address is /f/ and this'),
  status: FunnelStatusWord.describe(
    'draft: never published; unpublished: visitors see that it is closed',
  ),
  version: z.number().int().describe('Of the draft: grows by one with every change of it'),
  published_version: z
    .number()
    .int()
    .nullable()
    .describe('The version that visitors see, or saw last; null: none yet'),
  has_unpublished_changes: z
    .boolean()
    .describe('The draft differs from what was published last, or nothing was published yet'),
  live_url: z.string().nullable().describe('Where visitors open it; null: it is not published'),
  published_at: Instant.nullable().describe('When it was published last, in UTC; null: never'),
  created_at: Instant.describe('UTC'),
  updated_at: Instant.describe('UTC'),
});

const preview_url = z
  .string()
  .nullable()
  .describe(
    'Shows the draft, and makes test leads; ends after a week. null: the caller has no funnels:write',
  );
const warnings = z
  .array(z.string())
  .describe('What is allowed, and may not be meant: such as texts that are hard to read');
const embed_code = z
  .string()
  .describe(
    'One line for another page, which shows the funnel there if definition.embed.domains names its host',
  );

export const FunnelView = FunnelRow.extend({
  definition: z
    .record(z.string(), z.unknown())
    .describe('All that it shows, asks and says, as update_funnel accepts it'),
  preview_url,
  embed_code: embed_code.nullable().describe('As publish_funnel gives it; null: not published'),
});

export const ChangedFunnel = FunnelView.extend({ warnings });

export const PublishedFunnel = FunnelRow.extend({
  live_url: z.string().describe('Where visitors open it'),
  embed_code,
  warnings,
});

export const TemplateRow = z.object({
  name: TemplateWord.describe('As create_funnel accepts it'),
  title: z.string().describe('What it is'),
  description: z.string().describe('What it shows, and what it is good for'),
  languages: z.array(z.string()).describe('Languages that its texts are written in'),
});

const count = (what: string) => z.number().int().describe(what);

const figures = {
  views: count('Pages opened'),
  starts: count('Pages on which the visitor began to answer'),
  submits: count('Forms sent without a fault'),
  leads: count('Leads made, whatever their result'),
  accepted: count('Leads sold'),
  revenue: Money.describe('The amount that buyers pay'),
};

const percent = (what: string) => z.number().describe(`${what}, in percent, two decimals`);

const StepView = z.object({
  step: z.string().describe('Id of the step'),
  title: orNull(z.string()).describe('Its heading; null: the funnel has no such step now'),
  shown: count('How often it was shown'),
  done: count('How often the visitor went on from it'),
  left: count('shown less done'),
  drop_off_pct: percent('left of shown; 0 where it was not shown'),
});

const ofLeads = (what: string) =>
  z.number().int().nullable().describe(`${what}; null: too many to count in time`);

/** The figures of a funnel in a list. */
export const FunnelSumsView = z.object({
  from: z.iso.date().describe("The first of 7 days, in the account's time zone"),
  to: z.iso.date().describe('The last: today'),
  views: figures.views,
  submits: figures.submits,
  leads: ofLeads('Leads made'),
  accepted: ofLeads('Leads sold'),
  conversion_pct: z
    .number()
    .nullable()
    .describe('accepted of views in percent, two decimals; null: too many to count in time'),
  steps: z.array(StepView).describe('In their order'),
});

export const FunnelStatsView = z.object({
  funnel_id: recordId('funnel'),
  name: z.string().describe('Name of the funnel'),
  ...span,
  ...figures,
  conversion_pct: percent('accepted of views; 0 without views'),
  suspects: z
    .object(
      Object.fromEntries(
        SUSPECT_REASONS.map((reason) => [reason, count(`Leads rejected as a bot's: ${reason}`)]),
      ) as Record<(typeof SUSPECT_REASONS)[number], z.ZodNumber>,
    )
    .describe('Leads that are kept as REJECTED, by the reason for which they were'),
  steps: z.array(StepView).describe('In their order'),
  days: z
    .array(z.object({ date: z.iso.date().describe('One of the days'), ...figures }))
    .describe('Every day from first to last'),
  sources: z
    .array(
      z.object({
        source: z
          .string()
          .describe('utm_source, else the host that the visitor came from, else direct'),
        ...figures,
      }),
    )
    .describe('At most 100, the most views first'),
});

export const ConsentRecord = z.object({
  id: z.string().describe('Id of the record: the Idempotency-Key of the lead'),
  lead_id: recordId('lead'),
  funnel_id: recordId('funnel'),
  version: z.number().int().describe('The version of the funnel that was shown'),
  campaign_id: recordId('campaign'),
  supplier_id: recordId('supplier'),
  language: z.string().describe('Of the page'),
  text: z.string().describe('What the visitor agreed to, as it was shown'),
  text_hash: z.string().describe('SHA-256 of the text, hex'),
  purpose: z.string().nullable().describe('What the data is used for; null: unknown'),
  sellers: z.array(z.string()).describe('Whom the consent names'),
  ticked: z.literal(true).describe('The box was ticked by the visitor: it never is beforehand'),
  at: Instant.describe('When it was given, in UTC'),
  ip: z.string().describe('Address of the visitor'),
  user_agent: z.string().nullable().describe('What the browser called itself'),
  page_url: z.string().nullable().describe('Address of the page, from the browser'),
  referrer: z.string().nullable().describe('Address that the visitor came from, from the browser'),
  answers: z.record(z.string(), z.unknown()).describe('What was answered'),
  trustedform_cert_url: orNull(z.string()).describe('Certificate of TrustedForm; null: none'),
  jornaya_leadid: orNull(z.string()).describe('Token of Jornaya; null: none'),
  is_test: z.boolean().describe('Of a test lead'),
});
