/** Buyers: list, look at, create, change, and how leads reach them. */
import { BSON } from 'mongodb';
import { z } from 'zod';
import { buyerPingView } from '../../../account/buyers/buyerPing.js';
import { overridingCampaigns } from '../../../account/links/deliveryOverrides.js';
import { createBuyer, findBuyer, updateBuyer } from '../../../account/buyers/buyers.js';
import { withGivenMethod } from '../../../account/buyers/delivery/givenMethod.js';
import { DeliveryPatch } from '../../../account/buyers/deliverySchema.js';
import { BUYER_LINK } from '../../../account/settings/buyerLinkTerms.js';
import { BUYER } from '../../../account/settings/buyerSettings.js';
import type { BuyerDoc } from '../../../account/store/accountDocs.js';
import { findLinksOfBuyer } from '../../../account/store/linksOfParty.js';
import { nameContains } from '../../../account/store/searchRecords.js';
import { tlsProblems } from '../../../deliveries/store/destinations.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { ADDRESS, type Exit, ACCESS } from '../exits.js';
import { campaignOf, readBuyerFigures } from '../partyFigures.js';
import { withExpected } from '../expected.js';
import { BuyerCampaigns, BuyerView, DeliveryOverridesView, ListedBuyer } from '../schemas/buyer.js';
import {
  id,
  include_archived,
  NewName,
  Instant,
  recordId,
  TO_SHOW_FIGURES,
} from '../schemas/common.js';
import { figuresInput } from '../schemas/partyFigures.js';
import { buyerRow, deliveryView, stillAhead } from '../views.js';
import { forWhole, upToSize, whole, withWhole } from '../wholeRows.js';
import { rotateSecret, SECRET_KINDS } from '../../../account/buyers/rotateSecret.js';
import { OverlapHours } from '../../../account/overlapSchema.js';

const buyer_id = id('buyer');
const EXAMPLE_ID = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';

export const buyerView = (buyer: BuyerDoc, { clock }: Pick<ActionContext, 'clock'>) => ({
  ...buyerRow(buyer),
  delivery: { ...deliveryView(buyer), method: buyer.delivery.method },
  returns: buyer.returns,
  ping: buyerPingView(buyer),
  previous_until: {
    webhook: stillAhead(buyer.previous_webhook?.until, clock),
    signing: stillAhead(buyer.previous_signing_until, clock),
  },
});

export const listBuyers = defineList({
  name: 'list_buyers',
  cli: ['buyers', 'list'],
  summary: 'List buyers',
  description:
    'Every buyer of the organization, oldest first. Archived ones only with include_archived.',
  permission: 'buyers:read',
  alsoNeeds: TO_SHOW_FIGURES,
  filters: {
    status: BUYER.changed.status.describe('Only those with this status'),
    ...figuresInput,
    include_archived,
    whole: whole('get_buyer'),
  },
  example: { status: 'active' },
  output: z.array(withWhole(ListedBuyer, BuyerView)),
  async find(given, context, wanted) {
    const { status, search, include_archived: withArchived, whole: isWhole } = given;
    const { collections, orgId: org_id } = context;
    const named = nameContains(search);
    const filter = { org_id, status, ...named, archived_at: withArchived ? undefined : null };
    const page = isWhole ? forWhole(wanted) : wanted;
    const found = await findPage(collections.buyers, filter, OLDEST_FIRST, page);
    const cut = isWhole ? upToSize(found, (buyer) => BSON.calculateObjectSize(buyer)) : found;
    const { figures } = given;
    return { ...cut, docs: cut.docs.map((buyer) => ({ buyer, isWhole, figures })) };
  },
  async show(rows, context) {
    const buyers = rows.map(({ buyer }) => buyer);
    const [problems, figuresOf] = await Promise.all([
      tlsProblems(
        context.collections.destinations,
        buyers.map(({ _id }) => _id),
      ),
      rows[0]?.figures ? readBuyerFigures(buyers, context) : null,
    ]);
    return rows.map(({ buyer, isWhole }) => ({
      ...(isWhole ? buyerView(buyer, context) : buyerRow(buyer)),
      tls_problem: problems.get(buyer._id),
      figures: figuresOf?.(buyer._id),
    }));
  },
});

export const getBuyer = defineAction({
  name: 'get_buyer',
  cli: ['buyers', 'get'],
  summary: 'Show a buyer',
  description:
    'A buyer, its delivery settings, its campaigns and which of them override them, and how bids are requested from it.',
  permission: 'buyers:read',
  input: z.strictObject({ buyer_id }),
  example: { buyer_id: EXAMPLE_ID },
  output: BuyerView.extend({
    delivery_overrides: DeliveryOverridesView,
    campaigns: BuyerCampaigns,
  }),
  async run({ buyer_id: buyerId }, context) {
    const { collections, orgId } = context;
    const buyer = await findBuyer(context, buyerId);
    const [delivery_overrides, links] = await Promise.all([
      overridingCampaigns(collections, buyerId),
      findLinksOfBuyer(collections, orgId, buyerId),
    ]);
    return {
      ...buyerView(buyer, context),
      delivery_overrides,
      campaigns: links.map(({ campaign, ...link }) => ({
        ...campaignOf(link, campaign),
        ...BUYER_LINK.show(link),
      })),
    };
  },
});

const SET_DELIVERY: Exit<{ delivery?: unknown }> = {
  ...ADDRESS,
  when: 'delivery is given',
  isFor: ({ delivery }) => delivery !== undefined,
};

export const createBuyerAction = defineAction({
  name: 'create_buyer',
  cli: ['buyers', 'create'],
  summary: 'Create a buyer',
  description:
    'Creates a buyer with two secrets, shown only once: the buyer sends webhook_secret with outcomes, and ' +
    'signing_secret signs its leads. Until a delivery is set, its leads are stored and not sent (STORE).',
  permission: 'buyers:write',
  letsOut: [SET_DELIVERY],
  input: z.strictObject({ name: NewName, ...BUYER.given, delivery: DeliveryPatch.optional() }),
  example: { name: 'Acme Insurance', email: 'leads@acme.example' },
  output: BuyerView.extend({
    webhook_secret: z.string().describe('The buyer sends it with outcomes'),
    signing_secret: z.string().describe('Signs the leads sent to the buyer'),
  }),
  async run({ delivery, ...input }, context) {
    const made = await createBuyer(context, {
      ...input,
      delivery: delivery && withGivenMethod(delivery),
    });
    context.recipients.ask(context.orgId, made.buyer.delivery);
    const { webhook_secret, signing_secret } = made;
    return { ...buyerView(made.buyer, context), webhook_secret, signing_secret };
  },
});

export const updateBuyerAction = defineAction({
  name: 'update_buyer',
  cli: ['buyers', 'update'],
  summary: 'Change a buyer',
  description: 'Changes only the keys given.',
  idempotent: true,
  permission: 'buyers:write',
  input: z.strictObject({ buyer_id, name: NewName.optional(), ...BUYER.changed }),
  example: { buyer_id: EXAMPLE_ID, status: 'paused' },
  output: BuyerView,
  async run({ buyer_id: buyerId, ...changes }, context) {
    return buyerView(await updateBuyer(context, buyerId, changes), context);
  },
});

export const setBuyerDelivery = defineAction({
  name: 'set_buyer_delivery',
  cli: ['buyers', 'set-delivery'],
  summary: 'Set the delivery of a buyer',
  description:
    'Changes only the settings given, within the method; null resets a setting to its default. A url without a ' +
    'method means WEBHOOK. A url with another origin (scheme, host, port) needs its headers again, or {} for none. ' +
    'Leads that already wait for the buyer are sent this way, too.',
  idempotent: true,
  permission: 'buyers:write',
  letsOut: [ADDRESS],
  input: DeliveryPatch.extend({
    buyer_id,
    expected: z
      .looseObject({})
      .optional()
      .describe('Settings as they were read: refused where one of them has another value by now')
      .meta({ examples: [{ url: 'https://buyer.example/leads' }] }),
  }),
  example: { buyer_id: EXAMPLE_ID, method: 'WEBHOOK', url: 'https://buyer.example/leads' },
  output: BuyerView,
  async run({ buyer_id: buyerId, expected, ...given }, context) {
    const delivery = withGivenMethod(given);
    const changed = await withExpected(expected, (check) =>
      updateBuyer(context, buyerId, (current) => {
        check(deliveryView(current));
        return { delivery };
      }),
    );
    context.recipients.ask(context.orgId, changed.delivery);
    return buyerView(changed, context);
  },
});

const NewSecret = z.string().optional();

export const rotateBuyerSecret = defineAction({
  name: 'rotate_buyer_secret',
  cli: ['buyers', 'rotate-secret'],
  summary: 'Rotate a secret of a buyer',
  description:
    'The new secret is shown only once, and takes effect at once. webhook: the buyer sends it with outcomes; the ' +
    'previous one is also accepted until the overlap ends, and older ones are refused. signing: requests to the ' +
    'buyer are signed with the new one from now on; until the overlap ends, webhook-signature has one signature for ' +
    'each secret, and X-LeadDistro-Signature uses only the new one.',
  effect: 'destroy',
  permission: 'buyers:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({
    buyer_id: id('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of the two secrets'),
    overlap_hours: OverlapHours.describe(
      'Hours for which the previous secret also counts; 0: it ends at once',
    ),
  }),
  example: {
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
    secret: 'webhook',
    overlap_hours: 24,
  },
  output: z.object({
    buyer_id: recordId('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of the two secrets'),
    webhook_secret: NewSecret.describe('For webhook: the new secret, which the buyer sends'),
    signing_secret: NewSecret.describe('For signing: the new secret, which signs leads'),
    previous_until: Instant.nullable().describe(
      'Until then the previous secret also counts; null: it ended',
    ),
  }),
  async run({ buyer_id, secret: kind, overlap_hours: overlapHours }, context) {
    const { secret, previousUntil } = await rotateSecret(context, buyer_id, { kind, overlapHours });
    return {
      buyer_id,
      secret: kind,
      ...(kind === 'webhook' ? { webhook_secret: secret } : { signing_secret: secret }),
      previous_until: previousUntil,
    };
  },
});
