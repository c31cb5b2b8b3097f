/** The names of what a scope is of. */
import type { AccountCollections } from '../account/store/collections.js';
import type { Scope } from './types.js';

export type NamedCollections = Pick<AccountCollections, 'orgs' | 'buyers' | 'suppliers'>;

/** Empty for what is not there any more, and the party of the organization itself. */
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
