/**
 * The terms of a lead that has waited, perhaps for a day: the price, the area and the filters that decided it stay. How its
 * buyers are reached, and whether they accept leads at all, is as it is now: a corrected address, a new secret, a
 * lowered cap, other hours, a pause, test mode and people added to suppression lists apply to it too. Caps of its
 * supplier and its campaign are those of the version that decided it.
 */
import type { BuyerTerms, Plan } from '../../account/rules/plan.js';

/** @param latest the plan's current version; a buyer that it does not name is paused */
export function termsNow(pinned: BuyerTerms, latest: Plan | undefined): BuyerTerms {
  const now = latest?.buyers.find((buyer) => buyer.buyer_id === pinned.buyer_id);
  if (!now) return { ...pinned, status: 'paused' };
  const { status, test_mode, caps, delivery, signing_secret, previous_signing } = now;
  const secrets = { signing_secret, previous_signing: previous_signing ?? null };
  const { schedule, when_closed } = now;
  return { ...pinned, ...secrets, status, test_mode, caps, delivery, schedule, when_closed };
}

/** The plan by which the lead is ranked again: its buyers are left out for the reasons of any lead. */
export const planNow = (plan: Plan, latest: Plan): Plan => ({
  ...plan,
  ...listsNow(plan, latest),
  buyers: plan.buyers.map((pinned) => termsNow(pinned, latest)),
});

/** Both versions' lists: what a hit means stays readable after its list is deleted. Only current lists are looked up. */
function listsNow(plan: Plan, { suppression = [] }: Plan): Pick<Plan, 'suppression'> {
  const current = new Set(suppression.map(({ list_id }) => list_id));
  const earlier = (plan.suppression ?? []).filter(({ list_id }) => !current.has(list_id));
  const lists = [...suppression, ...earlier];
  return lists.length === 0 ? {} : { suppression: lists };
}
