/** The buyers of a campaign. */
import { z } from 'zod';
import {
  linkBuyer,
  updateBuyerLink,
  type BuyerLinkInput,
} from '../../../account/links/buyerLinks.js';
import { alreadyLinked } from '../../../account/links/storeLink.js';
import type { CapLimits } from '../../../account/rules/capLimits.js';
import { defineAction, type ActionContext } from '../action.js';
import { ADDRESS, type Exit } from '../exits.js';
import { BuyerLinkView } from '../schemas/campaign.js';
import { buyerLinkKey, buyerTerms } from '../schemas/links.js';
import { retryOnConflict } from '../../../lib/retry.js';
import { buyerLinkView, capsGiven } from '../views.js';

const EXAMPLE_KEY = {
  campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
  buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
};
const Input = z.strictObject({ ...buyerLinkKey, ...buyerTerms });

const WITH_DELIVERY = {
  when: 'the input has delivery, which sets where leads are sent',
  isFor: ({ delivery }: z.output<typeof Input>) => delivery !== undefined,
};

const OVERRIDE: Exit<z.output<typeof Input>> = { ...ADDRESS, ...WITH_DELIVERY };

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
  effect: 'write',
  idempotent: false,
  permission: 'campaigns:write',
  letsOut: [OVERRIDE],
  alsoNeeds: BUYERS_WRITE,
  input: Input,
  example: { ...EXAMPLE_KEY, price: 25, priority: 1, daily_cap: 100, states: ['CA', 'TX'] },
  output: BuyerLinkView,
  async run(input, context) {
    const { key, current } = await keyOf(input, context);
    if (current) throw alreadyLinked({ kind: 'buyer', partner_id: input.buyer_id });
    const link = await linkBuyer(
      context.collections,
      key,
      termsOf(input, {}, context),
      context.author,
      true,
    );
    context.recipients.ask(key.org_id, link.delivery ?? {});
    return buyerLinkView(link);
  },
});

export const updateCampaignBuyer = defineAction({
  name: 'update_campaign_buyer',
  cli: ['campaigns', 'update-buyer'],
  summary: 'Change the terms of a buyer in a campaign',
  description: 'Changes only the keys given. null removes a limit.',
  effect: 'write',
  idempotent: true,
  permission: 'campaigns:write',
  letsOut: [OVERRIDE],
  alsoNeeds: BUYERS_WRITE,
  input: Input,
  example: { ...EXAMPLE_KEY, price: 27.5 },
  output: BuyerLinkView,
  run: (input, context) =>
    retryOnConflict(async () => {
      const { key, current } = await keyOf(input, context);
      const terms = termsOf(input, current?.caps ?? {}, context);
      const link = await updateBuyerLink(context.collections, key, terms, current, context.author);
      if (input.delivery) context.recipients.ask(key.org_id, link.delivery ?? {});
      return buyerLinkView(link);
    }),
});

async function keyOf(
  { campaign_id, buyer_id }: { campaign_id: string; buyer_id: string },
  { collections, caller }: ActionContext,
) {
  const key = { org_id: caller.org_id, campaign_id, buyer_id };
  return { key, current: await collections.campaignBuyers.findOne(key) };
}

function termsOf(
  { delivery, ...input }: z.output<typeof Input>,
  current: CapLimits,
  { policy, keyring }: ActionContext,
): BuyerLinkInput {
  const caps = capsGiven(input, current);
  return {
    ...(input as BuyerLinkInput),
    ...(caps === undefined ? {} : { caps }),
    ...(delivery === undefined ? {} : { overrides: { settings: delivery, policy, keyring } }),
  };
}
