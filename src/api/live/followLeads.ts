/** The live feed of leads as a call: who may follow, by which filters, and from which place on. */
import { z } from 'zod';
import { SOLD_STATUSES } from '../../leads/rules/leadStatus.js';
import type { Arrival } from '../../leads/store/arrivals.js';
import type { LeadFilter, ListedLead } from '../../leads/store/leadPages.js';
import { PEOPLE } from '../actions/exits.js';
import { PEOPLE_OF_A_LEAD } from '../actions/leadViews.js';
import { leadFilterInput } from '../actions/leadFilter.js';
import { invalidField } from '../actions/readInput.js';
import type { Definition } from '../calls/definition.js';

const { campaign_id, supplier_id, buyer_id, is_test } = leadFilterInput;

/** Statuses that the distribution decides: an outcome comes long after a lead. */
const Status = z
  .enum([
    'NEW',
    'PENDING',
    'ACCEPTED',
    'UNMATCHED',
    'DUPLICATE',
    'REJECTED',
    'EXPIRED',
    'WITHDRAWN',
  ])
  .optional()
  .describe('The decision of the distribution, some seconds after the lead arrived');

/** As the parameters of its address. */
export const FollowInput = z.strictObject({
  after: z.string().optional().describe('Last-Event-ID, from a client that cannot send the header'),
  campaign_id,
  supplier_id,
  buyer_id,
  status: Status,
  is_test,
});
export type FollowInput = z.output<typeof FollowInput>;

/** Its rights are those of `get_leads`: who sees no people gets leads without them. */
export const FOLLOW_LEADS: Definition<typeof FollowInput> = {
  name: 'follow_leads',
  effect: 'read',
  permission: 'leads:read',
  letsOut: [{ ...PEOPLE, parts: PEOPLE_OF_A_LEAD }],
  input: FollowInput,
};

/** The parameters of an address as an input: all of them are texts there. */
export function inputOf(query: URLSearchParams): Record<string, unknown> {
  const given: Record<string, unknown> = Object.fromEntries(query);
  if (given.is_test === 'true' || given.is_test === 'false')
    given.is_test = given.is_test === 'true';
  return given;
}

type Filter = Pick<LeadFilter, 'campaign_id' | 'supplier_id' | 'buyer_id' | 'statuses'>;

export const filterOf = ({ status, ...filter }: FollowInput): Filter => ({
  ...filter,
  statuses: status === undefined ? undefined : status === 'ACCEPTED' ? SOLD_STATUSES : [status],
});

/** Whether a lead passes, as the query of `get_leads` decides it. */
export function fits(lead: ListedLead, filter: Filter): boolean {
  const { statuses, ...ids } = filter;
  const isOf = (['campaign_id', 'supplier_id', 'buyer_id'] as const).every(
    (key) => ids[key] === undefined || ids[key] === lead[key],
  );
  return isOf && (statuses === undefined || statuses.includes(lead.status));
}

/** How a client names the place that it has reached: the id of an event. */
export const eventIdOf = ({ at, id }: Arrival): string => `${Number(at)}.${id}`;

const EVENT_ID = /^(\d{1,15})\.([\w-]{0,100})$/u;

/** @throws {AppError} `invalid_input` for a text that no event of the feed has as its id */
export function readEventId(text: string): Arrival {
  const [, ms, id = ''] = EVENT_ID.exec(text) ?? [];
  const at = new Date(Number(ms));
  if (ms !== undefined && !Number.isNaN(Number(at))) return { at, id };
  const message =
    'Last-Event-ID must be the id of an event of this feed. Leave it out to begin now.';
  throw invalidField('Last-Event-ID', 'invalid_format', message);
}
