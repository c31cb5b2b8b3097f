/** What a buyer has spent and counted against its caps and budgets. */
import { findBuyer } from '../../../account/buyers/buyers.js';
import { CAP_WINDOWS, type CapLimits, type CapWindow } from '../../../account/rules/capLimits.js';
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { dayAfter, startOfDay } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys, type WindowKeys } from '../../../fields/windowKeys.js';
import { readReport, type ReportRow } from '../../../reports/report.js';
import { keyOf, type CapState } from '../../../routing/rules/caps.js';
import { buyerCap, createCapStore } from '../../../routing/store/caps.js';
import { definePartnerCall } from '../call.js';
import { GetUsage } from '../schemas/buyer.js';
import { nameOf, readCampaigns, readLinks } from './campaigns.js';

export const getUsage = definePartnerCall({
  name: 'get_usage',
  side: 'buyer',
  effect: 'read',
  ...GetUsage,
  async run(_input, context) {
    const { collections, org_id, party_id: buyer_id, clock, org } = context;
    const keys = windowKeys(clock.now(), org.time_zone);
    const { day, week, month } = startsOf(keys);
    const scope = { orgId: org_id, buyer_id, to: day };
    const [buyer, links, days, ofToday, ofMonth] = await Promise.all([
      findBuyer(collections, org_id, buyer_id),
      readLinks(context),
      readReport(context, { ...scope, from: week < month ? week : month }, 'day'),
      readReport(context, { ...scope, from: day }, 'campaign'),
      readReport(context, { ...scope, from: month }, 'campaign'),
    ]);
    const since = (from: string) => spentOf(days.rows.filter(({ key }) => (key ?? '') >= from));
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
        const of = ({ rows }: { rows: ReportRow[] }) =>
          spentOf(rows.filter(({ key }) => key === campaign_id));
        return {
          campaign: nameOf(campaigns, campaign_id),
          status: link.status,
          can_resume: isPausedByPartner(link),
          limits: limitsOf(link.caps, counted.get(buyerCap(campaign_id, buyer_id)), {
            keys,
            timeZone: org.time_zone,
          }),
          today: of(ofToday),
          month: of(ofMonth),
        };
      }),
    };
  },
});

const spentOf = (rows: readonly ReportRow[]) => ({
  leads: rows.reduce((sum, { sales }) => sum + sales, 0),
  spend: fromMicros(rows.reduce((sum, { revenue }) => sum + revenue, 0)),
});

/** The first days of the windows. */
const startsOf = ({ day, week, month }: WindowKeys) => ({
  day,
  week: week.slice(1),
  month: `${month}-01`,
});

/** What was counted in a window that is over counts no more. */
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
    // 31 days after the first is in the next month, whatever its name.
    month: `${dayAfter(month, 31).slice(0, 7)}-01`,
  }[window];
  return startOfDay(next, timeZone).toISOString();
}
