import type { AccountCollections } from '../../account/store/collections.js';

/** The time zone of an organization: its days, and the windows of its caps, are in it. */
export async function readTimeZone(
  { orgs }: Pick<AccountCollections, 'orgs'>,
  orgId: string,
): Promise<string> {
  const org = await orgs.findOne({ _id: orgId }, { projection: { time_zone: 1 } });
  return org?.time_zone ?? 'UTC';
}
