/** What a buyer has spent and counted against its caps and budgets. */
import { z } from 'zod';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys, type WindowKeys } from '../../../fields/windowKeys.js';
import { readLeadDays, totalOf, type LeadDay } from '../../../reports/leadDays.js';
import { capsLeft } from '../../../routing/rules/capsLeft.js';
import { buyerCap, createCapStore } from '../../../routing/store/caps.js';
import { definePartnerCall } from '../call.js';
import { leftView } from '../leftView.js';
import { campaignsOf, nameOf, readLinks } from './campaigns.js';
import { LimitLeft, Amount, NoInput, Named } from '../schemas/shared.js';

/** leads: how many. budget: their price. */
const Limit = LimitLeft.extend({ of: z.enum(['leads', 'budget']) });

const Spent = z.object({ leads: z.number().int(), spend: Amount });

/** A buyer's limits count leads and their price. */
const OF = { count: 'leads', budget: 'budget' } as const;

export const getUsage = definePartnerCall({
  name: 'get_usage',
  effect: 'read',
  input: NoInput,
  output: z.object({
    status: z.enum(['active', 'paused']),
    test_mode: z.boolean(),
    /** It was paused here, so that it can be resumed here. */
    can_resume: z.boolean(),
    today: Spent,
    week: Spent,
    month: Spent,
    campaigns: z.array(
      z.object({
        campaign: Named,
        status: z.enum(['active', 'paused']),
        can_resume: z.boolean(),
        /** Only those with a limit. */
        limits: z.array(Limit),
        today: Spent,
        month: Spent,
      }),
    ),
  }),
  async run(_input, context) {
    const { collections, org_id, party_id: buyer_id, clock, org } = context;
    const at = { now: clock.now(), timeZone: org.time_zone };
    const { day, week, month } = startsOf(windowKeys(at.now, at.timeZone));
    const [buyer, links, days] = await Promise.all([
      findBuyer(context, buyer_id),
      readLinks(context),
      readLeadDays(context, {
        orgId: org_id,
        buyer_id,
        from: week < month ? week : month,
        to: day,
      }),
    ]);
    const since = (from: string, some = days) => spentOf(some.filter((one) => one.day >= from));
    const daysOf = Map.groupBy(days, ({ campaign_id }) => campaign_id);
    const [campaigns, counted] = await Promise.all([
      campaignsOf(links, context),
      createCapStore(collections.caps).read(
        links.map(({ campaign_id }) => buyerCap(campaign_id, buyer_id)),
      ),
    ]);
    return {
      status: buyer.status,
      test_mode: buyer.test_mode,
      can_resume: isPausedByPartner(buyer),
      today: since(day),
      week: since(week),
      month: since(month),
      campaigns: links.map((link) => {
        const { campaign_id } = link;
        const ofCampaign = daysOf.get(campaign_id) ?? [];
        return {
          campaign: nameOf(campaigns, campaign_id),
          status: link.status,
          can_resume: isPausedByPartner(link),
          limits: capsLeft(link.caps, counted.get(buyerCap(campaign_id, buyer_id)), at).map(
            (one) => ({ ...leftView(one), of: OF[one.of] }),
          ),
          today: since(day, ofCampaign),
          month: since(month, ofCampaign),
        };
      }),
    };
  },
});

function spentOf(days: readonly LeadDay[]) {
  const { sales, revenue } = totalOf(days);
  return { leads: sales, spend: fromMicros(revenue) };
}

/** The first days of the windows. */
const startsOf = ({ day, week, month }: WindowKeys) => ({
  day,
  week: week.slice(1),
  month: `${month}-01`,
});
