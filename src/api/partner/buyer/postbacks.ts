/** How a buyer's system reports outcomes: the guide, and a try-out of one postback. */
import { z } from 'zod';
import { AppError } from '../../../lib/errors.js';
import { OutcomeBody } from '../../../outcomes/schemas/outcome.js';
import { definePartnerCall } from '../call.js';
import { notYours } from '../refusals.js';
import { isShown } from '../shownFields.js';
import { readShownRules } from './campaigns.js';
import { readMeantChange } from './meantLead.js';
import { changeSale } from './outcomes.js';
import { NoInput } from '../schemas/shared.js';
import { FieldScalar } from '../../../fields/values.js';

const PATH = '/api/webhooks/buyer-outcome';
const HEADER = 'X-Buyer-Secret';

/** Keys of the body that are fields of a lead. */
const FIELD_KEYS: readonly string[] = ['phone', 'email', 'click_id'];

export const getPostbackGuide = definePartnerCall({
  name: 'get_postback_guide',
  effect: 'read',
  input: NoInput,
  output: z.object({
    url: z.string(),
    method: z.literal('POST'),
    /** The header that carries the webhook secret. */
    secret_header: z.string(),
    keys: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
    /** Fields that identify a lead, in addition to its id. */
    match_fields: z.array(z.string()),
    examples: z.array(z.object({ language: z.string(), code: z.string() })),
  }),
  async run(_input, context) {
    const { settings, ingestAddress } = context;
    const url = `${ingestAddress().url.replace(/\/$/, '')}${PATH}`;
    const fields = await readShownRules(context);
    const shape: Record<string, z.ZodType> = OutcomeBody.shape;
    return {
      url,
      method: 'POST' as const,
      secret_header: HEADER,
      keys: Object.entries(shape)
        .filter(([name]) => !FIELD_KEYS.includes(name) || isShown(settings, name))
        .map(([name, schema]) => ({
          name,
          type: MONEY.includes(name) ? 'number' : 'text',
          description: schema.description ?? '',
        })),
      match_fields: [...new Set(fields.map(({ name }) => name))].toSorted(),
      examples: examplesOf(url),
    };
  },
});

const MONEY: readonly string[] = ['conversion_revenue', 'revenue', 'lead_value'];

const EXAMPLE = {
  lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
  outcome: 'converted',
  conversion_revenue: 120,
  idempotency_key: 'deal-4711',
};

function examplesOf(url: string) {
  const body = JSON.stringify(EXAMPLE);
  return [
    {
      language: 'curl',
      code:
        `curl -X POST '${url}' \\\n  -H '${HEADER}: YOUR_WEBHOOK_SECRET' \\\n` +
        `  -H 'content-type: application/json' \\\n  -d '${body}'`,
    },
    {
      language: 'JavaScript',
      code:
        `const answer = await fetch(${JSON.stringify(url)}, {\n  method: "POST",\n` +
        `  headers: { "content-type": "application/json", "${HEADER}": "YOUR_WEBHOOK_SECRET" },\n` +
        `  body: JSON.stringify(${JSON.stringify(EXAMPLE, null, 2).replaceAll('\n', '\n  ')}),\n});\n` +
        'console.log(answer.status, await answer.text());',
    },
    {
      language: 'Python',
      code:
        'import json, urllib.request\n\nrequest = urllib.request.Request(\n' +
        `    ${JSON.stringify(url)},\n    data=json.dumps(${body}).encode(),\n` +
        `    headers={"content-type": "application/json", "${HEADER}": "YOUR_WEBHOOK_SECRET"},\n)\n` +
        'with urllib.request.urlopen(request) as answer:\n    print(answer.status, answer.read().decode())',
    },
  ];
}

/** Refusals that are answers to a postback. */
const ANSWERED: readonly string[] = ['validation_failed', 'not_found', 'ambiguous', 'conflict'];

/** A postback as its endpoint would answer it. */
export const tryPostback = definePartnerCall({
  name: 'try_postback',
  effect: 'write',
  hides: ['body'],
  input: z.strictObject({
    body: z.record(z.string().max(200), z.union([FieldScalar, z.null()])),
    /** Records it too; else it is only checked. */
    apply: z.boolean().default(false),
  }),
  output: z.object({
    http_status: z.number().int(),
    answer: z.looseObject({}),
    /** The lead that it identifies. */
    lead_id: z.string().nullable(),
    applied: z.boolean(),
  }),
  async run({ body, apply }, context) {
    try {
      const { report, ...meant } = await readMeantChange(body, false, context);
      const data = apply ? await changeSale(meant, report, context) : { lead_id: meant.lead_id };
      return {
        http_status: 200,
        answer: { success: true, data },
        lead_id: meant.lead_id,
        applied: apply,
      };
    } catch (error) {
      if (!(error instanceof AppError) || !ANSWERED.includes(error.code)) throw error;
      return refusalOf(error);
    }
  },
});

function refusalOf(error: AppError) {
  const { code, status, extras } = error;
  const message = code === 'not_found' ? notYours().message : error.message;
  return {
    http_status: status,
    answer: { error: code, message, field_errors: extras.field_errors },
    lead_id: null,
    applied: false,
  };
}
