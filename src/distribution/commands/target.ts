/** Finds the buyer whose queue a command is for. */
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import { rowIdsOf } from '../../deliveries/store/deliveryIndexes.js';
import { WAITING } from '../../deliveries/store/waiting.js';
import { CommandRefused } from './errors.js';

/** The collections in which a command's buyer is found. */
export type QueueCollections = Pick<
  AccountCollections & LeadCollections & DeliveryCollections,
  'buyers' | 'leads' | 'deliveries'
>;

/** One lead, or everything that waits for a buyer; both: the lead's delivery to that buyer. */
export interface Target {
  lead_id?: string;
  buyer_id?: string;
}

interface Queue {
  org_id: string;
  buyer_id: string;
  /** Null: the whole queue. */
  lead_id: string | null;
}

/** Of a command that names neither. */
export const TARGET_REQUIRED =
  'lead_id is required for one lead, or buyer_id for all that wait for a buyer.';

/**
 * @param orgId when given, a lead or buyer of another organization is not found
 * @throws {CommandRefused} `invalid`, `not_found`, `not_waiting`
 */
export async function findQueue(
  { lead_id: leadId, buyer_id: buyerId }: Target,
  orgId: string | undefined,
  collections: QueueCollections,
): Promise<Queue> {
  if (leadId !== undefined) return ofLead(leadId, buyerId, orgId, collections);
  if (buyerId === undefined) throw new CommandRefused('invalid', TARGET_REQUIRED);
  const buyer = await collections.buyers.findOne({ _id: buyerId }, { projection: { org_id: 1 } });
  if (!buyer || isOfAnother(buyer, orgId))
    throw new CommandRefused('not_found', `There is no buyer ${buyerId}.`);
  return { org_id: buyer.org_id, buyer_id: buyerId, lead_id: null };
}

async function ofLead(
  leadId: string,
  buyerId: string | undefined,
  orgId: string | undefined,
  { leads, deliveries }: QueueCollections,
): Promise<Queue> {
  const lead = await leads.findOne({ _id: leadId }, { projection: { org_id: 1, status: 1 } });
  if (!lead || isOfAnother(lead, orgId))
    throw new CommandRefused('not_found', `There is no lead ${leadId}.`);
  const rows = await deliveries
    .find({ _id: rowIdsOf(leadId) }, { projection: { buyer_id: 1, state: 1 } })
    .toArray();
  const waits = rows.find(({ state }) => WAITING.includes(state) || state === 'sending');
  const offered = rows.find((row) => row.buyer_id === buyerId);
  const row = buyerId === undefined ? waits : offered;
  if (!row) {
    const whom = buyerId === undefined ? 'any buyer' : `buyer ${buyerId}`;
    throw new CommandRefused(
      'not_waiting',
      `Lead ${leadId} does not wait for ${whom}: it is ${lead.status}.`,
    );
  }
  return { org_id: lead.org_id, buyer_id: row.buyer_id, lead_id: leadId };
}

const isOfAnother = (doc: { org_id: string }, orgId: string | undefined): boolean =>
  orgId !== undefined && doc.org_id !== orgId;
