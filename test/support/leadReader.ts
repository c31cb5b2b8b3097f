/** Reads stored leads and their rows. */
import type { Lead } from '../../src/leads/rules/lead.js';
import type { Collections } from '../../src/app/database.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { waitFor } from './waitFor.js';

export interface LeadReader {
  /** @throws {Error} when there is no such lead */
  lead: (id: string | undefined) => Promise<Lead>;
  /** The delivery rows of a lead, in the order of the attempts. */
  rows: (leadId: string | undefined) => Promise<DeliveryDoc[]>;
  /** Waits until the lead has this status. */
  becomes: (leadId: string | undefined, status: Lead['status'], withinMs?: number) => Promise<Lead>;
}

export function leadReader({ leads, deliveries }: Collections): LeadReader {
  const lead = async (id = ''): Promise<Lead> => {
    const found = await leads.findOne({ _id: id });
    if (!found) throw new Error(`There is no lead "${id}"`);
    return found;
  };
  return {
    lead,
    rows: (leadId = '') => deliveries.find({ lead_id: leadId }).sort({ n: 1 }).toArray(),
    becomes: (leadId, status, withinMs) =>
      waitFor(
        async () => {
          const found = await lead(leadId);
          if (found.status !== status) throw new Error(`it is ${found.status}`);
          return found;
        },
        { message: `lead ${leadId} is ${status}`, timeoutMs: withinMs },
      ),
  };
}
