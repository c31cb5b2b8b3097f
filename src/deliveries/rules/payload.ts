/** What a buyer receives of a lead, under the names that default bodies, templates and columns use. */
import { fieldOf } from '../../fields/fields.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { Scalar } from '../../fields/values.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { fromMicros } from '../../fields/money.js';
import { EXTRA } from '../../account/rules/template.js';
import type { SERVICE_NAMES } from '../../fields/systemFields.js';

export type DeliveredLead = Pick<
  Lead,
  '_id' | 'campaign_id' | 'fields' | 'extra' | 'is_test' | 'created_at' | 'ping'
>;

export interface Payload {
  service: Record<Exclude<(typeof SERVICE_NAMES)[number], 'ping_reference'>, Scalar> & {
    /** The buyer's reference of its bid, for a lead that redeemed a ping. */
    ping_reference?: string;
  };
  fields: Lead['fields'];
  extra: Lead['extra'];
}

export function payloadOf(
  lead: DeliveredLead,
  terms: Pick<BuyerTerms, 'buyer_id' | 'price'>,
): Payload {
  const bid = lead.ping?.bids.find(({ buyer_id }) => buyer_id === terms.buyer_id);
  return {
    service: {
      lead_id: lead._id,
      campaign_id: lead.campaign_id,
      buyer_id: terms.buyer_id,
      is_test: lead.is_test,
      price: fromMicros(terms.price),
      ...(bid?.reference === undefined ? {} : { ping_reference: bid.reference }),
      created_at: lead.created_at.toISOString(),
    },
    fields: lead.fields,
    extra: lead.extra,
  };
}

/** The default body: the service's values, the fields flat, unmapped values, the time. */
export function defaultBody({ service, fields, extra }: Payload): Record<string, unknown> {
  const { created_at, ...named } = service;
  // Twice: the first time for the order, the second time to override fields of the same name.
  return { ...named, ...fields, ...named, extra, created_at };
}

/** The value of a name: a value of the service, then `extra.x`, then a field; undefined when absent. */
export function valueOf({ service, fields, extra }: Payload, name: string): Scalar | undefined {
  const value = fieldOf(service, name);
  if (value !== undefined) return value;
  if (name.startsWith(EXTRA)) return fieldOf(extra, name.slice(EXTRA.length));
  return fieldOf(fields, name);
}

/** The same for a lead and a buyer at every attempt: a receiver that stores it accepts the lead once. */
export const idempotencyKeyOf = (
  lead: Pick<Lead, '_id'>,
  terms: Pick<BuyerTerms, 'buyer_id'>,
): string => `${lead._id}:${terms.buyer_id}`;
