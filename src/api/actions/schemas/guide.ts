/** A supplier's posting guide on the wire. */
import { z } from 'zod';
import { VerticalView } from './campaign.js';

const Named = z.object({
  id: z.string().describe('Its id, as leads name it'),
  name: z.string().describe('Its name'),
});
const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const Endpoint = z.object({
  method: z.literal('POST').describe('Of HTTP'),
  url: z.string().describe('Where leads go'),
  note: z.string().nullable().describe('Said where the address is not set by the operator'),
});

const Header = z.object({
  name: z.string().describe('Of the header'),
  value: z.string().describe('What it holds'),
  required: z.boolean().describe('Whether a lead is refused without it'),
  meaning: z.string().describe('What it is for'),
});

const Field = z.object({
  name: z.string().describe('The key in the body'),
  label: z.string().describe('What people call it'),
  type: z.string().describe('What kind of value it takes'),
  required: z.boolean().describe('Whether a lead is refused without it'),
  rules: z.array(z.string()).describe('In words'),
  example: Scalar.nullable().describe('A value that is taken; null: none could be made up'),
});

const CommandLines = z.object({
  test_lead: z.string().describe('Sends a test lead'),
  lead: z.string().describe('Sends a live lead'),
  look_up: z.string().describe('Asks what became of a lead'),
});

const SampleAnswer = z.object({
  status: z.number().int().describe('Of HTTP'),
  code: z.string().describe('What tells answers of one status apart'),
  when: z.string().describe('What it means, and what to do'),
  body: z.looseObject({}).describe('What such a body looks like'),
});

const Note = z.object({
  title: z.string().describe('What it is about'),
  text: z.string().describe('Whole sentences'),
});

const Limit = z.object({
  per_second: z.number().describe('Leads a second, for as long as one likes'),
  burst_per_second: z.number().describe('Leads a second for a short time'),
  burst_seconds: z.number().describe('How long that is'),
});

const PingGuide = z.object({
  endpoint: z
    .object({
      method: z.literal('POST').describe('Of HTTP'),
      url: z.string().describe('Where pings go'),
    })
    .describe('How to reach it'),
  required: z.array(z.string()).describe('What every ping must have; any other field may come'),
  example: z.record(z.string(), Scalar).describe('A ping that is answered'),
  curl: z
    .object({
      test_ping: z.string().describe('Sends a test ping'),
      ping: z.string().describe('Sends a live ping'),
    })
    .describe('Command lines that work as they are'),
  answers: z.array(SampleAnswer).describe('What can be answered'),
  rate_limit: Limit.describe('How fast pings may come'),
});

export const GuideView = z.object({
  campaign: Named.extend({ vertical: VerticalView }).describe('Where the leads go'),
  supplier: Named.nullable().describe('Whom the guide is for; null: for any'),
  endpoint: Endpoint.describe('How to reach it'),
  ping: PingGuide.nullable().describe(
    'How to ask for bids before a lead is posted; null: leads are posted directly',
  ),
  headers: z.array(Header).describe('Of each request'),
  fields: z
    .array(Field)
    .describe('Of a lead, in the order of the mapping')
    // In an example, a field with its `type` and `example` is taken for a schema by linters.
    .meta({ examples: [[]] }),
  example: z.record(z.string(), Scalar).describe('A lead that is taken'),
  curl: CommandLines.describe(
    'Command lines that work as they are; after a ping, with its ping_id in the place of YOUR_PING_ID',
  ),
  answers: z.array(SampleAnswer).describe('Everything that can be answered'),
  notes: z.array(Note).describe('What else there is to know'),
  rate_limit: Limit.describe('How fast leads may come'),
});
