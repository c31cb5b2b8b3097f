/** Buyers on the wire. */
import { METHOD_NAMES } from '../../../account/buyers/deliverySchema.js';
import { TLS_TROUBLES } from '../../../platform/outbound/tlsTrouble.js';
import { z } from 'zod';
import { Instant, orNull, recordId, recordName } from './common.js';
import { BuyerPingView } from './ping.js';
import { BUYER_LINK } from '../../../account/settings/buyerLinkTerms.js';
import { BUYER } from '../../../account/settings/buyerSettings.js';
import { BuyerFigures, linked } from './partyFigures.js';
import { ReturnSettingsView } from './returns.js';

const { rate_limit, ...rowSettings } = BUYER.view;

const BuyerRow = z.object({
  id: recordId('buyer'),
  name: recordName('buyer').meta({ examples: ['Acme Insurance'] }),
  ...rowSettings,
  archived_at: orNull(Instant).describe('Since when it is archived; null: it is not'),
  created_at: Instant.describe('When it was created, in UTC'),
});

export const ListedBuyer = BuyerRow.extend({
  tls_problem: orNull(z.enum(TLS_TROUBLES)).describe(
    'The TLS problem of the last attempt: too weak or too old; null: no TLS problem',
  ),
  figures: BuyerFigures.optional().describe('How it does today; only with figures'),
});

const { status, price, priority, weight } = BUYER_LINK.view;
export const BuyerCampaigns = linked({ status, price, priority, weight });

export const DeliveryOverridesView = z
  .array(
    z.object({
      campaign_id: recordId('campaign'),
      settings: z
        .array(z.string())
        .describe('Names of the overridden settings; get_campaign shows the values'),
    }),
  )
  .describe('Campaigns that override its delivery, at most 500; empty: none');

export const BuyerView = BuyerRow.extend({
  delivery: z
    .looseObject({ method: z.string().describe(`One of ${METHOD_NAMES.join(', ')}`) })
    .describe('All settings; the values of headers are hidden'),
  rate_limit,
  returns: ReturnSettingsView,
  ping: orNull(BuyerPingView).describe(
    'How bids are requested from it; null: its price is its bid',
  ),
  previous_until: z
    .object({
      webhook: Instant.nullable().describe(
        'Until then the previous webhook secret is also accepted',
      ),
      signing: Instant.nullable().describe(
        'Until then the buyer should also accept signatures by the previous signing secret',
      ),
    })
    .describe('Previous secrets that are still valid; null: none'),
});
