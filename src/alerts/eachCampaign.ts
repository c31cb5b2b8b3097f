/** Goes through the active campaigns, some at once, and continues in the next run after those that were looked at. */
import { planId, type Plan } from '../account/rules/plan.js';
import { UnreadablePlans } from '../account/store/plans.js';
import { chunks } from '../lib/chunks.js';
import type { AlertDeps } from './deps.js';
import { findCampaignPage, type ListedCampaign } from './store/campaignPages.js';
import type { AlertPassDoc } from './store/alertDocs.js';

const PAGE = 100;
/** Milliseconds after which no further campaign is begun. */
const RUN_MS = 3_000;

interface Pass {
  _id: AlertPassDoc['_id'];
  /** From the beginning of one pass to that of the next, at least. */
  everyMs: number;
  /** Campaigns that are looked at together. A run looks at so many at least. */
  atOnce: number;
}

/** @param work gets the plans that decide the leads of these campaigns now */
export async function eachCampaign(
  { _id, everyMs, atOnce }: Pass,
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
  const isOver = (): boolean => deps.clock.monotonic() >= until || deps.stopping();
  const keep = async (lastId: string): Promise<void> => {
    after = lastId;
    await alertPasses.updateOne({ _id }, { $set: { after, next_at } }, { upsert: true });
  };
  do {
    const page = await findCampaignPage(campaigns, after, PAGE);
    const active = page.filter(({ status }) => status === 'ACTIVE');
    for (const group of chunks(active, atOnce)) {
      await work(await readPlans(group, deps));
      await keep(group.at(-1)?._id ?? after);
      if (isOver()) return;
    }
    await keep(page.length < PAGE ? '' : (page.at(-1)?._id ?? ''));
  } while (after !== '' && !isOver());
}

/** One that cannot be read is left out: its leads wait, and the log of their runs says why. */
async function readPlans(group: readonly ListedCampaign[], { plans }: AlertDeps): Promise<Plan[]> {
  const ids = group.map((campaign) => planId(campaign._id, campaign.plan_version));
  try {
    return [...(await plans.get(ids)).values()];
  } catch (error) {
    if (error instanceof UnreadablePlans) return [...error.plans.values()];
    throw error;
  }
}
