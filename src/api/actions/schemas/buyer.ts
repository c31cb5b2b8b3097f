/** Buyers on the wire. */
import { TLS_TROUBLES } from '../../../platform/outbound/tlsTrouble.js';
import { z } from 'zod';
import { ActiveStatus, Instant, recordId, recordName } from './common.js';
import { BuyerPingView } from './ping.js';
import { PostbackRateLimit } from './supplier.js';
import { ReturnSettingsView } from './returns.js';

const contact = (what: string) => z.string().max(200).nullable().optional().describe(what);

export const buyerSettings = {
  email: contact('Where people reach the buyer'),
  phone: contact('Where people reach the buyer'),
  location: contact('Where the buyer is'),
  status: ActiveStatus.optional().describe('A paused buyer gets no leads'),
  test_mode: z.boolean().optional().describe('In test mode it gets test leads, and no others'),
  rate_limit: PostbackRateLimit.optional().describe('How fast it may send outcomes'),
};

const BuyerRow = z.object({
  id: recordId('buyer'),
  name: recordName('buyer').meta({ examples: ['Acme Insurance'] }),
  email: z.string().nullable().describe('Where people reach the buyer'),
  phone: z.string().nullable().describe('Where people reach the buyer'),
  location: z.string().nullable().describe('Where the buyer is'),
  status: ActiveStatus.describe('A paused buyer gets no leads'),
  test_mode: z.boolean().describe('In test mode it gets test leads, and no others'),
  created_at: Instant.describe('When it was created, in UTC'),
});

export const ListedBuyer = BuyerRow.extend({
  tls_problem: z
    .enum(TLS_TROUBLES)
    .nullable()
    .describe(
      'Why its server was not reached last: its TLS is too weak or too old; null: not for that',
    ),
});

export const DeliveryOverridesView = z
  .array(
    z.object({
      campaign_id: recordId('campaign'),
      settings: z.array(z.string()).describe('Their names; get_campaign shows what they hold'),
    }),
  )
  .describe('Campaigns that set its delivery otherwise, at most 500; empty: none');

export const BuyerView = BuyerRow.extend({
  delivery: z
    .looseObject({ method: z.string().describe('WEBHOOK, EMAIL, GOOGLE_SHEET or STORE') })
    .describe('Complete settings; the values of headers are hidden'),
  rate_limit: PostbackRateLimit.required().describe('How fast it may send outcomes'),
  returns: ReturnSettingsView,
  ping: BuyerPingView.nullable().describe('How it is asked for bids; null: its price is its bid'),
  previous_until: z
    .object({
      webhook: Instant.nullable().describe('Until then the webhook secret before is taken too'),
      signing: Instant.nullable().describe(
        'Until then the buyer should take signatures by the signing secret before, too',
      ),
    })
    .describe('Secrets that were replaced and still count; null: none'),
});
