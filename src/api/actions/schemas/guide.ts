/** A supplier's posting guide on the wire. */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { VerticalView } from './campaign.js';
import { named } from './common.js';

const Endpoint = z.object({
  method: z.literal('POST').describe('The HTTP method'),
  url: z.string().describe('Where leads go'),
  note: z.string().nullable().describe('Present when the operator has not set the address'),
});

const Header = z.object({
  name: z.string().describe('The name of the header'),
  value: z.string().describe('The value of the header'),
  required: z.boolean().describe('Whether a lead is refused without it'),
  meaning: z.string().describe('What it is for'),
});

const Field = z.object({
  name: z.string().describe('The key in the body'),
  label: z.string().describe('The display name'),
  type: z.string().describe('The type of its value'),
  required: z.boolean().describe('Whether a lead is refused without it'),
  rules: z.array(z.string()).describe('The rules, in words'),
  example: FieldScalar.nullable().describe('A valid value; null: none could be generated'),
});

const CommandLines = z.object({
  test_lead: z.string().describe('Sends a test lead'),
  lead: z.string().describe('Sends a live lead'),
  look_up: z.string().describe('Looks up the status of a lead'),
});

const Programs = z.object({
  javascript: z.string().describe('For Node.js from 18 on'),
  python: z.string().describe('For Python from 3.8 on'),
  php: z.string().describe('For PHP from 8.0 on, with its curl extension'),
});

const SampleAnswer = z.object({
  status: z.number().int().describe('The HTTP status'),
  code: z.string().describe('Distinguishes answers with the same status'),
  when: z.string().describe('What it means, and what to do'),
  body: z.looseObject({}).describe('An example body'),
});

const Note = z.object({
  title: z.string().describe('What it is about'),
  text: z.string().describe('Whole sentences'),
});

const Limit = z.object({
  per_second: z.number().describe('Sustained rate per second'),
  burst_per_second: z.number().describe('Rate per second during a burst'),
  burst_seconds: z.number().describe('Duration of a burst, in seconds'),
});

const PingGuide = z.object({
  endpoint: z
    .object({
      method: z.literal('POST').describe('The HTTP method'),
      url: z.string().describe('Where pings go'),
    })
    .describe('How to reach it'),
  required: z
    .array(z.string())
    .describe('Fields that every ping must have; any other field is optional'),
  example: z.record(z.string(), FieldScalar).describe('A ping that is answered'),
  curl: z
    .object({
      test_ping: z.string().describe('Sends a test ping'),
      ping: z.string().describe('Sends a live ping'),
    })
    .describe('Working command lines'),
  code: z
    .object({
      test_ping: Programs.describe('Sends a test ping'),
      ping: Programs.describe('Sends a live ping'),
    })
    .describe('The same requests as programs'),
  answers: z.array(SampleAnswer).describe('The possible answers'),
  rate_limit: Limit.describe('The rate limit of pings'),
});

export const GuideView = z.object({
  campaign: named('campaign').extend({ vertical: VerticalView }).describe('Where the leads go'),
  supplier: named('supplier')
    .nullable()
    .describe('The supplier that the guide is for; null: any supplier'),
  endpoint: Endpoint.describe('How to reach it'),
  ping: PingGuide.nullable().describe(
    'How to ask for bids before a lead is posted; null: leads are posted directly',
  ),
  headers: z.array(Header).describe('The headers of each request'),
  fields: z
    .array(Field)
    .describe('The fields of a lead, in the order of the mapping')
    // Linters take an example field with its `type` and `example` for a schema.
    .meta({ examples: [[]] }),
  example: z.record(z.string(), FieldScalar).describe('A valid lead'),
  curl: CommandLines.describe(
    'Command lines that work as they are; after a ping, with its ping_id in the place of YOUR_PING_ID',
  ),
  code: z
    .object({
      test_lead: Programs.describe('Sends a test lead'),
      lead: Programs.describe('Sends a live lead'),
    })
    .describe('The same requests as programs, which run as they are'),
  answers: z.array(SampleAnswer).describe('All possible answers'),
  notes: z.array(Note).describe('Further notes'),
  rate_limit: Limit.describe('The rate limit of leads'),
});
