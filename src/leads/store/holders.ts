/** Leads that hold a claim or a ping that another lead requests. */
import type { Lead } from '../rules/lead.js';
import type { EarlierLead } from '../rules/resend.js';
import { createAnsweredStore } from './answered.js';
import type { LeadCollections } from './collections.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';

/** The facts that distinguish a duplicate from a re-sent request, and show whether another lead may take over. */
export type Holder = EarlierLead & Pick<Lead, '_id' | 'buyer_id' | 'run' | 'take_by'>;
/** The part of it that is stored in the lead. */
export type HoldingLead = Omit<Holder, 'answered'>;

const FIELDS = {
  status: 1,
  buyer_id: 1,
  created_at: 1,
  supplier_id: 1,
  body_hash: 1,
  broken: 1,
  decided_at: 1,
  run: 1,
  take_by: 1,
} as const;

/** The stored leads of these ids. */
export const readHoldingLeads = (
  leads: LeadCollections['leads'],
  ids: readonly string[],
): Promise<Map<string, HoldingLead>> => findByIds(leads, ids, { ...DURABLE, projection: FIELDS });

/** The same, and whether their suppliers received their answers. */
export async function readHolders(
  { leads, answered }: Pick<LeadCollections, 'leads' | 'answered'>,
  ids: readonly string[],
): Promise<Map<string, Holder>> {
  const [found, answeredIds] = await Promise.all([
    readHoldingLeads(leads, ids),
    createAnsweredStore(answered).among(ids),
  ]);
  return new Map([...found].map(([id, lead]) => [id, { ...lead, answered: answeredIds.has(id) }]));
}
