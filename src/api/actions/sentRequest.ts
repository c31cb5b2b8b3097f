/** The request of a delivery, made again from what is stored: the same lead and terms give the same bytes. */
import { planId, type BuyerTerms, type Plan } from '../../account/rules/plan.js';
import { unpackPlan } from '../../account/store/planPacking.js';
import { shownRequest, type ShownRequest } from '../../deliveries/shownRequest.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { Lead } from '../../leads/rules/lead.js';
import { planOfLead } from '../../leads/rules/locks.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import { termsNow } from '../../routing/rules/termsNow.js';
import type { ActionContext } from './action.js';

/** Null where nothing was sent, or what it was sent by is no longer stored. */
export async function readSentRequest(
  row: DeliveryDoc,
  lead: Lead | null,
  { collections }: Pick<ActionContext, 'collections'>,
): Promise<ShownRequest | null> {
  if (!lead || row.tries === 0) return null;
  const later = laterVersion(row, lead.trail);
  const versions = [lead.plan_version, ...(later === undefined ? [] : [later])];
  const ids = versions.map((version) => planId(lead.campaign_id, version));
  const stored = await collections.plans.find({ _id: { $in: ids } }).toArray();
  const [own, latest] = ids.map((id) => stored.find(({ _id }) => _id === id));
  if (!own) return null;
  const plan = planOfLead(unpackPlan(own), lead);
  const terms = termsOf(row, plan, latest && unpackPlan(latest));
  if (!terms) return null;
  const fieldNames = plan.fields.map(({ name }) => name);
  return shownRequest(lead, { ...terms, price: row.price }, { fieldNames, at: sentAt(row) });
}

function termsOf(
  { buyer_id }: DeliveryDoc,
  plan: Plan,
  latest: Plan | undefined,
): BuyerTerms | undefined {
  const pinned = plan.buyers.find((one) => one.buyer_id === buyer_id);
  return pinned && latest ? termsNow(pinned, latest) : pinned;
}

/** The version whose terms applied when it was resumed last; undefined: that of the lead. */
function laterVersion(
  { buyer_id, settled_at }: DeliveryDoc,
  trail: readonly TrailEntry[],
): number | undefined {
  const resumed = trail.findLast(
    (entry) =>
      entry.result === 'resumed' &&
      entry.buyer_id === buyer_id &&
      (settled_at === undefined || entry.at <= settled_at),
  );
  const version = resumed?.detail?.plan_version;
  return typeof version === 'number' ? version : undefined;
}

/** When its latest request was made; its signature and time depend on it. */
const sentAt = ({ settled_at, latency_ms = 0, created_at }: DeliveryDoc): Date =>
  settled_at === undefined ? created_at : new Date(Number(settled_at) - latency_ms);
