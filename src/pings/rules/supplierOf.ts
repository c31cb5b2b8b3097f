import type { Plan, SupplierTerms } from '../../account/rules/plan.js';
import { getOwn } from '../../lib/getOwn.js';

/** @throws {Error} when the plan has no such supplier */
export function supplierOf(ping: { plan: Plan; supplier_id: string }): SupplierTerms {
  const supplier = getOwn(ping.plan.suppliers, ping.supplier_id);
  if (!supplier) throw new Error(`Plan ${ping.plan._id} has no supplier ${ping.supplier_id}`);
  return supplier;
}
