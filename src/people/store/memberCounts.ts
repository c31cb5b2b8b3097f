/** How many people have access to partners' portals. */
import type { Collection } from 'mongodb';
import type { MembershipDoc } from './personDocs.js';

/** Members by the key of their scope; absent: none. */
export async function countMembers(
  memberships: Collection<MembershipDoc>,
  org_id: string,
  scopeKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await memberships
    .aggregate<{ _id: string; people: number }>(
      [
        { $match: { org_id, scope_key: { $in: [...scopeKeys] } } },
        { $group: { _id: '$scope_key', people: { $sum: 1 } } },
      ],
      { hint: { org_id: 1, scope_key: 1, created_at: 1 } },
    )
    .toArray();
  return new Map(found.map(({ _id, people }) => [_id, people]));
}
