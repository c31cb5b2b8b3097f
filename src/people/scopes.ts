/** Scopes: their keys, the roles that fit them, and the names behind them. */
import { invalidField } from './rules/faults.js';
import type { AccountCollections } from '../account/store/collections.js';
import { ORG_ROLES, PARTNER_ROLES, type OrgRole, type PartnerRole, type Scope } from './types.js';

/** One text for a scope, for unique keys. */
export function scopeKey(scope: Scope): string {
  if (scope.kind === 'buyer') return `buyer:${scope.buyer_id}`;
  return scope.kind === 'supplier' ? `supplier:${scope.supplier_id}` : 'organization';
}

/** @throws {AppError} `validation_failed` on `role` for one that members of this scope do not have */
export function checkRole(scope: Scope, role: OrgRole | PartnerRole): void {
  const known: readonly string[] = scope.kind === 'organization' ? ORG_ROLES : PARTNER_ROLES;
  if (known.includes(role)) return;
  throw invalidField('role', 'not_allowed', `role must be one of ${known.join(', ')}.`);
}

export type NamedCollections = Pick<AccountCollections, 'orgs' | 'buyers' | 'suppliers'>;

/** The names behind a scope; empty for a deleted one, and for the party of the organization itself. */
export async function namesOf(
  { orgs, buyers, suppliers }: NamedCollections,
  orgId: string,
  scope: Scope,
): Promise<{ organization: string; party: string }> {
  const projection = { name: 1 };
  const [org, party] = await Promise.all([
    orgs.findOne({ _id: orgId }, { projection }),
    scope.kind === 'buyer'
      ? buyers.findOne({ _id: scope.buyer_id, org_id: orgId }, { projection })
      : scope.kind === 'supplier'
        ? suppliers.findOne({ _id: scope.supplier_id, org_id: orgId }, { projection })
        : null,
  ]);
  return { organization: org?.name ?? '', party: party?.name ?? '' };
}
