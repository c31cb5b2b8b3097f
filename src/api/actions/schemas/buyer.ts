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

const setting = <T extends z.ZodType>(type: T, what: string) =>
  type.nullable().optional().describe(what);
const texts = z.union([z.string(), z.array(z.string())]);

/** Which settings belong to a method, and what they may hold, is checked by the method. */
export const Delivery = z
  .strictObject({
    method: setting(
      z.enum(['WEBHOOK', 'EMAIL', 'GOOGLE_SHEET', 'STORE']),
      'WEBHOOK unless told otherwise. STORE: leads are kept here, and count as taken',
    ),
    timeout_ms: setting(z.number().int(), 'For a whole delivery, 100 to 30000'),
    honours_idempotency_key: setting(
      z.boolean(),
      'The same key sent twice is one lead there: then an unanswered lead is sent again. GOOGLE_SHEET: default ' +
        'true; the row is looked for by the id of the lead first',
    ),
    on_unknown: setting(
      z.enum(['hold', 'assume_accepted', 'fail_over']),
      'What becomes of a lead that was sent and never answered',
    ),
    hold_max_age_ms: setting(z.number().int(), 'How long an unanswered lead may be held'),
    max_age_ms: setting(z.number().int(), 'How long a lead may wait for the buyer'),
    max_concurrent: setting(z.number().int(), 'While its queue is drained'),
    max_per_second: setting(z.number(), 'While its queue is drained'),
    url: setting(z.string().max(2_000), 'WEBHOOK: where leads are posted'),
    headers: setting(
      z.record(z.string(), z.string()),
      'WEBHOOK: headers beside ours; [hidden] as a value keeps the one there is, at the same origin',
    ),
    format: setting(
      z.enum(['json', 'form', 'text', 'html']),
      'WEBHOOK: json, form; EMAIL: text, html',
    ),
    template: z.unknown().optional().describe('WEBHOOK, EMAIL: the body, with {{placeholders}}'),
    response: setting(z.looseObject({}), 'WEBHOOK: how the answer is read'),
    to: setting(texts, 'EMAIL: 1 to 20 addresses'),
    cc: setting(texts, 'EMAIL: up to 20 addresses'),
    subject: setting(z.string(), 'EMAIL: with {{placeholders}}'),
    attach_json: setting(z.boolean(), 'EMAIL: adds the lead as a file'),
    spreadsheet_id: setting(z.string(), 'GOOGLE_SHEET: its address, or the id in it'),
    sheet: setting(z.string(), 'GOOGLE_SHEET: name of the tab; the first when null'),
    columns: setting(
      z.array(z.string()),
      'GOOGLE_SHEET: names of values, after the id of the lead',
    ),
  })
  .describe('How leads reach the buyer');

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
