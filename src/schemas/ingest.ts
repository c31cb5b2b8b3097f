/** The wire contract of ingest (specification 2.1 and 2.2). */
import { z } from 'zod';

/** The fixed part of a lead. Custom fields are the campaign's, so any other key may come. */
export const IngestBody = z.looseObject({
  flo_campaign_id: z.string().describe('Campaign the lead is routed to'),
  flo_supplier_id: z.string().describe('Supplier sending the lead'),
  first_name: z.string().describe("Lead's first name"),
  last_name: z.string().describe("Lead's last name"),
  phone: z.string().describe("Lead's phone number, 10 to 15 digits"),
  email: z.string().describe("Lead's email address"),
  state: z.string().optional().describe('Two-letter US state code; used for state-based routing'),
  flo_ping_id: z
    .string()
    .optional()
    .describe('The signed ping_id of a successful ping, for ping-post campaigns'),
  test_lead: z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .optional()
    .describe('When true, the lead is a test lead'),
});

export const IngestResult = z.object({
  data: z.object({
    id: z.string().describe('Lead identifier'),
    status: z.enum(['ACCEPTED', 'UNMATCHED', 'DUPLICATE']),
    buyer_id: z.string().nullable().describe('Assigned buyer; null when there is none'),
    campaign_id: z.string().describe('Campaign of the lead'),
    delivery: z
      .enum(['delivered', 'pending'])
      .optional()
      .describe("pending: a buyer is still to confirm; decided within the delivery's max_age"),
    duplicate_of: z.string().optional().describe('The earlier lead this one repeats'),
  }),
});
