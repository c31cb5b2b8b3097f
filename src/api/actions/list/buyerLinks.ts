/** The buyers of a campaign. */
import type { z } from 'zod';
import { linkBuyer, updateBuyerLink } from '../../../account/links/buyerLinks.js';
import { defineAction } from '../action.js';
import { ADDRESS, type Exit } from '../exits.js';
import { BuyerLinkView, ChangedBuyerLink, NewBuyerLink } from '../schemas/links.js';
import { buyerLinkView } from '../views.js';

const EXAMPLE_KEY = {
  campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
  buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
};

const WITH_DELIVERY = {
  when: 'the input has delivery, which sets where leads are sent',
  isFor: ({ delivery }: z.output<typeof ChangedBuyerLink>) => delivery !== undefined,
};

const OVERRIDE: Exit<z.output<typeof ChangedBuyerLink>> = { ...ADDRESS, ...WITH_DELIVERY };

/** A caller that sets where a campaign's leads go must also have the right to set it for the buyer as a whole. */
const BUYERS_WRITE = {
  permission: 'buyers:write',
  subject: "Setting where a buyer's leads are sent",
  ...WITH_DELIVERY,
} as const;

export const addBuyerToCampaign = defineAction({
  name: 'add_buyer_to_campaign',
  cli: ['campaigns', 'add-buyer'],
  summary: 'Link a buyer to a campaign',
  description:
    'Links a buyer to a campaign on these terms. If the buyer is already linked, the call is refused: use ' +
    'update_campaign_buyer.',
  permission: 'campaigns:write',
  letsOut: [OVERRIDE],
  alsoNeeds: BUYERS_WRITE,
  input: NewBuyerLink,
  example: { ...EXAMPLE_KEY, price: 25, priority: 1, daily_cap: 100, states: ['CA', 'TX'] },
  output: BuyerLinkView,
  async run(input, context) {
    const link = await linkBuyer(context, input, input);
    context.recipients.ask(context.orgId, link.delivery ?? {});
    return buyerLinkView(link);
  },
});

export const updateCampaignBuyer = defineAction({
  name: 'update_campaign_buyer',
  cli: ['campaigns', 'update-buyer'],
  summary: 'Change the terms of a buyer in a campaign',
  description: 'Changes only the keys given. null removes a limit.',
  idempotent: true,
  permission: 'campaigns:write',
  letsOut: [OVERRIDE],
  alsoNeeds: BUYERS_WRITE,
  input: ChangedBuyerLink,
  example: { ...EXAMPLE_KEY, price: 27.5 },
  output: BuyerLinkView,
  async run(input, context) {
    const link = await updateBuyerLink(context, input, input);
    if (input.delivery) context.recipients.ask(context.orgId, link.delivery ?? {});
    return buyerLinkView(link);
  },
});
