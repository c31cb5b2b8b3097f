/** How campaigns do, for a page of their list: some queries for all of them. */
import { readTimeZone } from '../../account/orgs.js';
import { dayAfter } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { readUpToDate } from '../../reports/reading.js';
import { entriesOf, isSoldStatus, total, type Sums } from '../../reports/rules/rollups.js';
import { findCampaignDays, type CampaignDay } from '../../reports/store/campaignDays.js';
import { readCapUsage } from '../../routing/readCapUsage.js';
import { shareUsed } from '../../routing/rules/capUsage.js';
import type { ActionContext } from './action.js';
import { percent } from './flowReasons.js';
import { moneyOf } from './schemas/report.js';
import { NEARLY_FULL } from './list/capUsage.js';

const DAYS = 7;

/** Leads received today, those of the last seven days, and the limits that are nearly full. */
export async function readCampaignFigures(ids: readonly string[], context: ActionContext) {
  const { collections, orgId, clock } = context;
  const timeZone = await readTimeZone(collections, orgId);
  const today = windowKeys(clock.now(), timeZone).day;
  const days = Array.from({ length: DAYS }, (_, n) => dayAfter(today, n + 1 - DAYS));
  const [found, nearlyFull] = await Promise.all([
    readDays(ids, days[0] ?? today, context),
    countNearlyFull(ids, timeZone, context),
  ]);
  const ofCampaign = Map.groupBy(found, ({ campaign_id }) => campaign_id);
  return (id: string) => {
    const sums = new Map((ofCampaign.get(id) ?? []).map((one) => [one.day, one]));
    return {
      today: todayOf(sums.get(today)),
      week: days.map((day) => leadsOf(sums.get(day)).leads),
      caps_nearly_full: nearlyFull.get(id) ?? 0,
    };
  };
}

async function readDays(
  ids: readonly string[],
  from: string,
  context: ActionContext,
): Promise<CampaignDay[]> {
  const { found } = await readUpToDate(context, {
    counting: 'leads',
    orgId: context.orgId,
    read: () => findCampaignDays(context.collections.rollups, ids, from),
  });
  return found;
}

type Days = Pick<CampaignDay, 'by_status'> | undefined;

const leadsOf = (day: Days, isAsked: (status: string) => boolean = () => true): Sums =>
  total(
    entriesOf(day?.by_status ?? {}).flatMap(([status, sums]) => (isAsked(status) ? [sums] : [])),
  );

function todayOf(day: Days) {
  const all = leadsOf(day);
  const accepted = total(
    entriesOf(day?.by_status ?? {}).flatMap(([status, sums]) =>
      isSoldStatus(status) ? [sums] : [],
    ),
  ).leads;
  const pending = leadsOf(day, (status) => status === 'PENDING').leads;
  return {
    total_leads: all.leads,
    accepted,
    pending,
    acceptance_pct: percent(accepted, all.leads - pending),
    ...moneyOf(all),
  };
}

async function countNearlyFull(
  campaign_ids: readonly string[],
  timeZone: string,
  { collections, orgId, clock }: ActionContext,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const asked = { filter: { org_id: orgId, campaign_ids }, timeZone, after: null };
  for await (const rows of readCapUsage(collections, asked, clock.now()))
    for (const row of rows)
      if (shareUsed(row) >= NEARLY_FULL)
        counts.set(row.campaign_id, (counts.get(row.campaign_id) ?? 0) + 1);
  return counts;
}
