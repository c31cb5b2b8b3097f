/** Buyers whose latest failure was that the TLS of their servers is too weak or too old. */
import type { Collection } from 'mongodb';
import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import type { DestinationDoc } from './destinationDoc.js';

/** The fault, by buyer; by one query, over ids. */
export async function tlsProblems(
  destinations: Collection<DestinationDoc>,
  buyerIds: readonly string[],
): Promise<Map<string, TlsTrouble>> {
  if (buyerIds.length === 0) return new Map();
  const found = await destinations
    .find({ _id: { $in: [...buyerIds] } }, { projection: { tls: 1 } })
    .toArray();
  return new Map(found.flatMap(({ _id, tls }) => (tls ? [[_id, tls] as const] : [])));
}
