/** Scopes and the roles that fit them. */
import { invalidField } from './rules/faults.js';
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
