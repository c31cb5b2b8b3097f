/** Goes through the active campaigns page by page, and continues in the next run where the time was over. */
import { planId, type Plan } from '../account/rules/plan.js';
import { UnreadablePlans } from '../account/store/plans.js';
import type { AlertDeps } from './deps.js';
import { findCampaignPage, type ListedCampaign } from './store/campaignPages.js';
import type { AlertPassDoc } from './store/alertDocs.js';

const PAGE = 100;
/** Milliseconds after which no further page is begun. */
const RUN_MS = 3_000;

interface Pass {
  _id: AlertPassDoc['_id'];
  /** From the beginning of one pass to that of the next, at least. */
  everyMs: number;
}

/** @param work gets the plans that decide the leads of a page of campaigns now */
export async function eachCampaign(
  { _id, everyMs }: Pass,
  work: (plans: readonly Plan[]) => Promise<void>,
  deps: AlertDeps,
): Promise<void> {
  const { campaigns, alertPasses } = deps.collections;
  const now = deps.clock.now();
  const pass = await alertPasses.findOne({ _id });
  let after = pass?.after ?? '';
  if (after === '' && pass && pass.next_at > now) return;
  const next_at = after === '' ? new Date(Number(now) + everyMs) : (pass?.next_at ?? now);
  const until = deps.clock.monotonic() + RUN_MS;
  do {
    const page = await findCampaignPage(campaigns, after, PAGE);
    await work(
      await readPlans(
        page.filter(({ status }) => status === 'ACTIVE'),
        deps,
      ),
    );
    after = page.length < PAGE ? '' : (page.at(-1)?._id ?? '');
    await alertPasses.updateOne({ _id }, { $set: { after, next_at } }, { upsert: true });
  } while (after !== '' && deps.clock.monotonic() < until && !deps.stopping());
}

/** One that cannot be read is left out: its leads wait, and the log of their runs says why. */
async function readPlans(page: readonly ListedCampaign[], { plans }: AlertDeps): Promise<Plan[]> {
  const ids = page.map((campaign) => planId(campaign._id, campaign.plan_version));
  try {
    return [...(await plans.get(ids)).values()];
  } catch (error) {
    if (error instanceof UnreadablePlans) return [...error.plans.values()];
    throw error;
  }
}
