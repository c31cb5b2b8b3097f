/** Campaigns that sell a smaller part of their leads today than they usually do. */
import type { Plan } from '../account/rules/plan.js';
import type { AcceptanceAlert } from '../events/rules/alertData.js';
import { dayAfter, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import { entriesOf, isSoldStatus } from '../reports/rules/rollups.js';
import { findCampaignDays, type CampaignDay } from '../reports/store/campaignDays.js';
import type { AlertDeps } from './deps.js';
import { compareAcceptance, USUAL_DAYS, type Compared, type Decided } from './rules/acceptance.js';
import type { AlertDoc } from './store/alertDocs.js';
import { createAlertStore } from './store/alerts.js';

const KEPT_MS = 90 * 86_400_000;
const SHARE_STEPS = 10_000;

export async function watchAcceptance(plans: readonly Plan[], deps: AlertDeps): Promise<void> {
  if (plans.length === 0) return;
  const now = deps.clock.now();
  const days = plans.map(({ time_zone }) => windowKeys(now, time_zone).day);
  const earliest = days.toSorted()[0] ?? '';
  const { rollups, alerts } = deps.collections;
  const ids = plans.map(({ campaign_id }) => campaign_id);
  const rows = await findCampaignDays(rollups, ids, dayAfter(earliest, -USUAL_DAYS));
  const known = await createAlertStore(alerts).get(ids.map(idOf));
  for (const [index, plan] of plans.entries()) {
    const day = days[index] ?? '';
    const own = rows.filter(({ campaign_id }) => campaign_id === plan.campaign_id);
    const compared = compareAcceptance(
      sumOf(own.filter((row) => row.day === day)),
      sumOf(own.filter((row) => row.day < day && row.day >= dayAfter(day, -USUAL_DAYS))),
    );
    const alert = known.get(idOf(plan.campaign_id));
    if (compared) await tellChange({ plan, day, compared, alert }, now, deps);
  }
}

const idOf = (campaignId: string): string => `acceptance:${campaignId}`;

interface Watched {
  plan: Plan;
  day: string;
  compared: Compared;
  alert: AlertDoc | undefined;
}

/** Once a day at most, by the account's calendar. */
async function tellChange(
  { plan, day, compared, alert }: Watched,
  now: Date,
  { collections }: AlertDeps,
): Promise<void> {
  const store = createAlertStore(collections.alerts);
  const data = dataOf(plan, day, compared);
  const isOpen = alert?.open === true;
  if (compared.state === 'normal' && isOpen)
    await store.end(alert._id, { type: 'acceptance.recovered', data }, now);
  if (compared.state !== 'dropped' || isOpen) return;
  const raised = {
    id: idOf(plan.campaign_id),
    org_id: plan.org_id,
    kind: 'acceptance' as const,
    event: { type: 'acceptance.dropped' as const, data },
    kept_until: new Date(Number(now) + KEPT_MS),
  };
  await store.raise(raised, now, new Date(Number(startOfDay(day, plan.time_zone)) - 1));
}

function sumOf(rows: readonly CampaignDay[]): Decided {
  const sum = { decided: 0, sold: 0 };
  for (const [status, { leads }] of rows.flatMap(({ by_status }) => entriesOf(by_status))) {
    if (status === 'PENDING') continue;
    sum.decided += leads;
    if (isSoldStatus(status)) sum.sold += leads;
  }
  return sum;
}

const dataOf = (plan: Plan, day: string, compared: Compared): AcceptanceAlert => ({
  campaign_id: plan.campaign_id,
  campaign_name: plan.name,
  day,
  decided: compared.decided,
  sold: compared.sold,
  rate: rounded(compared.rate),
  usual_rate: rounded(compared.usual_rate),
});

const rounded = (share: number): number => Math.round(share * SHARE_STEPS) / SHARE_STEPS;
