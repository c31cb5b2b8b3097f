/** The terms on which a buyer accepts the leads of its campaigns. */
import { z } from 'zod';
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { BUYER_LINK, type BuyerLinkTerms } from '../../../account/settings/buyerLinkTerms.js';
import { SEEN } from '../../../account/settings/partnerTerms.js';
import { definePartnerCall } from '../call.js';
import { shownRules, hasHidden } from '../shownFields.js';
import { nameOf, readCampaigns, readLinks } from './campaigns.js';
import { Named, orNull, NoInput } from '../schemas/shared.js';
import { pickKeys } from '../../../lib/defined.js';
import { FieldScalar } from '../../../fields/values.js';

/** Its keys follow from the table, so that their types are not known here. */
export const among = (shape: z.ZodRawShape, names: readonly string[]): object =>
  pickKeys(shape, names);

const BuyerTerms = z.object({
  campaign: Named,
  /** By their names; filters are null where they are hidden, too. */
  ...among(BUYER_LINK.whole.view, SEEN),
  status: z.enum(['active', 'paused']),
  can_resume: z.boolean(),
  /** They use a hidden field: they are neither shown nor changed here. */
  filters_hidden: z.boolean(),
  /** The fields that filters may use. */
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      allowed_values: orNull(z.array(FieldScalar)),
    }),
  ),
  /** Of the campaign: a requested change refers to it. */
  version: z.number().int(),
});

export const getTerms = definePartnerCall({
  name: 'get_terms',
  effect: 'read',
  input: NoInput,
  output: z.array(BuyerTerms),
  async run(_input, context) {
    const { collections, org_id, settings } = context;
    const links = await readLinks(context);
    const ids = links.map(({ campaign_id }) => campaign_id);
    const [campaigns, versions] = await Promise.all([
      readCampaigns(ids, context),
      collections.campaigns
        .find({ _id: { $in: ids }, org_id }, { projection: { plan_version: 1 } })
        .toArray(),
    ]);
    const versionOf = new Map(versions.map(({ _id, plan_version }) => [_id, plan_version]));
    return links.map((link) => {
      const isHidden = hasHidden(settings, link.filters);
      return {
        campaign: nameOf(campaigns, link.campaign_id),
        ...termsOf(isHidden ? { ...link, filters: null } : link),
        status: link.status,
        can_resume: isPausedByPartner(link),
        filters_hidden: isHidden,
        fields: shownRules(settings, campaigns.get(link.campaign_id)?.fields ?? []).map((rule) => ({
          ...rule,
          label: rule.label ?? rule.name,
        })),
        version: versionOf.get(link.campaign_id) ?? 0,
      };
    });
  },
});

const termsOf = (link: BuyerLinkTerms): object =>
  pickKeys<Record<string, unknown>, string>(BUYER_LINK.whole.show(link), SEEN);
