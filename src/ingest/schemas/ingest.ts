/** The wire contract of ingest (contract 2.2, 2.4). */
import { z } from 'zod';
import { FieldScalar } from '../../fields/values.js';

const given = (what: string) => FieldScalar.describe(what);
const optional = (what: string) => FieldScalar.nullable().optional().describe(what);

/** The fixed part of a lead. Custom fields are the campaign's, so any other key may come. */
export const IngestBody = z
  .object({
    flo_campaign_id: z.string().min(1).describe('Campaign the lead is routed to'),
    flo_supplier_id: z.string().min(1).describe('Supplier that sends the lead'),
    first_name: given("Lead's first name"),
    last_name: given("Lead's last name"),
    phone: given("Lead's phone number, 10 to 15 digits"),
    email: given("Lead's email address"),
    state: optional('Two-letter US state code; used for state-based routing'),
    zip_code: optional('Zip code, of five digits or nine'),
    source: optional('Where the lead comes from, in your own words'),
    flo_ping_id: z
      .string()
      .nullable()
      .optional()
      .describe('The signed ping_id of a successful ping, for ping-post campaigns'),
    flo_buyer_id: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The only bidder of the ping that may get the lead; absent: all of them, best first',
      ),
    test_lead: z
      .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])])
      .nullable()
      .optional()
      .describe('When true, the lead is a test lead'),
  })
  .catchall(FieldScalar.nullable())
  .meta({
    description:
      "The lead: the keys below, the fields of the campaign's mapping, and any others. Values are text, numbers, true or " +
      'false; an empty text or null counts as missing.',
    examples: [
      {
        flo_campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
        flo_supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
        first_name: 'Jane',
        last_name: 'Doe',
        phone: '+14155550134',
        email: 'jane.doe@example.com',
        state: 'CA',
        zip_code: '94103',
      },
    ],
  });

export const IngestHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Identifies this request, quoted or bare. The same key and body get the first answer for 24 hours',
    ),
});

export const IngestResult = z
  .object({
    data: z
      .object({
        id: z.string().describe('Lead identifier'),
        status: z
          .enum(['ACCEPTED', 'UNMATCHED', 'DUPLICATE'])
          .describe('The result: UNMATCHED when no buyer accepted it'),
        buyer_id: z.string().nullable().describe('Assigned buyer; null when there is none'),
        campaign_id: z.string().describe('Campaign of the lead'),
        delivery: z
          .enum(['delivered', 'pending'])
          .optional()
          .describe("pending: a buyer still has to confirm; decided within the delivery's max_age"),
        duplicate_of: z.string().optional().describe('The earlier lead that this one repeats'),
      })
      .describe('The lead'),
  })
  .describe('The lead was accepted, and this is its result.');
