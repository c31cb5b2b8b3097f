/**
 * The terms of a lead that has waited, perhaps for a day: the price and the filters that decided it stay, everything else
 * is as it is now. A corrected address, a new secret, a lowered cap and a pause apply to it too.
 */
import type { BuyerTerms, Plan, SupplierTerms } from '../../account/rules/plan.js';
import { getOwn } from '../../lib/getOwn.js';

/** @param latest the plan's current version; a buyer that it does not name is paused */
export function termsNow(pinned: BuyerTerms, latest: Plan | undefined): BuyerTerms {
  const now = latest?.buyers.find((buyer) => buyer.buyer_id === pinned.buyer_id);
  if (!now) return { ...pinned, status: 'paused' };
  const { status, caps, delivery, signing_secret, previous_signing, schedule, when_closed } = now;
  const secrets = { signing_secret, previous_signing: previous_signing ?? null };
  return { ...pinned, ...secrets, status, caps, delivery, schedule, when_closed };
}

/** Those that may be asked now, in their order. */
export const askableNow = (buyers: readonly BuyerTerms[], latest: Plan): BuyerTerms[] =>
  buyers.map((pinned) => termsNow(pinned, latest)).filter(({ status }) => status === 'active');

/** With the caps of the campaign and of the supplier. */
export function capsNow(
  { plan, supplier }: { plan: Plan; supplier: SupplierTerms },
  latest: Plan,
): { plan: Plan; supplier: SupplierTerms } {
  const caps = getOwn(latest.suppliers, supplier.supplier_id)?.caps ?? supplier.caps;
  return { plan: { ...plan, caps: latest.caps }, supplier: { ...supplier, caps } };
}
