/** The names of records, for rows that have their ids. A deleted record has none. */
import type { AccountCollections } from '../../account/store/collections.js';

/** A collection whose records have names. */
interface NamedRecords {
  find(
    filter: object,
    options: { projection: { name: 1 } },
  ): { toArray(): Promise<{ _id: string; name: string }[]> };
}

/** By id, the names of those that the organization has. */
export async function readNames(
  records: NamedRecords,
  ids: Iterable<string>,
  org_id: string,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const found = await records
    .find({ _id: { $in: wanted }, org_id }, { projection: { name: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name }) => [_id, name]));
}

interface Row {
  side: 'buyer' | 'supplier';
  party_id: string;
  campaign_id?: string | null;
}

export interface PartyNames {
  party(row: Row): { kind: 'buyer' | 'supplier'; id: string; name?: string };
  campaign(row: Row): { id: string; name?: string } | null;
}

/** The names of the partners and campaigns of these rows. */
export async function readPartyNames(
  { buyers, suppliers, campaigns }: Pick<AccountCollections, 'buyers' | 'suppliers' | 'campaigns'>,
  orgId: string,
  rows: readonly Row[],
): Promise<PartyNames> {
  const ids = (side: Row['side']) =>
    rows.flatMap((row) => (row.side === side ? [row.party_id] : []));
  const [buyer, supplier, names] = await Promise.all([
    readNames(buyers, ids('buyer'), orgId),
    readNames(suppliers, ids('supplier'), orgId),
    readNames(
      campaigns,
      rows.flatMap(({ campaign_id }) => campaign_id ?? []),
      orgId,
    ),
  ]);
  const parties = { buyer, supplier };
  return {
    party: ({ side, party_id: id }) => ({ kind: side, id, name: parties[side].get(id) }),
    campaign: ({ campaign_id: id }) => (id == null ? null : { id, name: names.get(id) }),
  };
}
