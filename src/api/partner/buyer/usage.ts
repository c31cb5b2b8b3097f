/** What a buyer has spent and counted against its caps and budgets. */
import { findBuyer } from '../../../account/buyers/buyers.js';
import { CAP_WINDOWS, type CapLimits, type CapWindow } from '../../../account/rules/capLimits.js';
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { dayAfter, startOfDay } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys, type WindowKeys } from '../../../fields/windowKeys.js';
import { readLeadDays, totalOf, type LeadDay } from '../../../reports/leadDays.js';
import { keyOf, type CapState } from '../../../routing/rules/caps.js';
import { buyerCap, createCapStore } from '../../../routing/store/caps.js';
import { definePartnerCall } from '../call.js';
import { GetUsage } from '../schemas/buyer.js';
import { nameOf, readCampaigns, readLinks } from './campaigns.js';

export const getUsage = definePartnerCall({
  name: 'get_usage',
  side: 'buyer',
  effect: 'read',
  letsOut: [],
  ...GetUsage,
  async run(_input, context) {
    const { collections, org_id, party_id: buyer_id, clock, org } = context;
    const keys = windowKeys(clock.now(), org.time_zone);
    const { day, week, month } = startsOf(keys);
    const [buyer, links, days] = await Promise.all([
      findBuyer({ collections, orgId: org_id }, buyer_id),
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
      readCampaigns(
        links.map(({ campaign_id }) => campaign_id),
        context,
      ),
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
        const own = daysOf.get(campaign_id) ?? [];
        return {
          campaign: nameOf(campaigns, campaign_id),
          status: link.status,
          can_resume: isPausedByPartner(link),
          limits: limitsOf(link.caps, counted.get(buyerCap(campaign_id, buyer_id)), {
            keys,
            timeZone: org.time_zone,
          }),
          today: since(day, own),
          month: since(month, own),
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

/** Counts of a window that is over no longer count. */
function limitsOf(
  limits: CapLimits,
  counted: CapState | undefined,
  { keys, timeZone }: { keys: WindowKeys; timeZone: string },
) {
  return CAP_WINDOWS.flatMap(({ window, cap, budget }) => {
    const used = counted?.[window];
    const isNow = used?.key === keyOf(keys, window);
    const resets_at = resetOf(window, keys, timeZone);
    const one = (of: 'leads' | 'budget', limit: number, count: number) => [
      { window, of, limit, used: count, left: Math.max(0, limit - count), resets_at },
    ];
    const leads = limits[cap];
    const money = limits[budget];
    return [
      ...(leads == null ? [] : one('leads', leads, isNow ? used.count : 0)),
      ...(money == null
        ? []
        : one('budget', fromMicros(money), isNow ? fromMicros(used.amount) : 0)),
    ];
  });
}

function resetOf(window: CapWindow, keys: WindowKeys, timeZone: string): string | null {
  if (window === 'total') return null;
  const { day, week, month } = startsOf(keys);
  const next = {
    day: dayAfter(day),
    week: dayAfter(week, 7),
    // 31 days after the first is always in the next month.
    month: `${dayAfter(month, 31).slice(0, 7)}-01`,
  }[window];
  return startOfDay(next, timeZone).toISOString();
}
