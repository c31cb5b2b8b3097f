/** The terms on which a buyer accepts the leads of its campaigns. */
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { BUYER_LINK, type BuyerLinkTerms } from '../../../account/settings/buyerLinkTerms.js';
import { pickKeys } from '../../../lib/defined.js';
import { SEEN } from '../../../account/settings/partnerTerms.js';
import { definePartnerCall } from '../call.js';
import { GetTerms } from '../schemas/buyerTerms.js';
import { shownRules, hasHidden } from '../shownFields.js';
import { nameOf, readCampaigns, readLinks } from './campaigns.js';

export const getTerms = definePartnerCall({
  name: 'get_terms',
  effect: 'read',
  ...GetTerms,
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
