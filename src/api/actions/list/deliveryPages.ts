/** Deliveries: what waits for buyers and why, and the attempts of the past. */
import { z } from 'zod';
import type { DeliveryState } from '../../../deliveries/store/deliveryDoc.js';
import { LISTED_STATES } from '../../../deliveries/store/deliveryIndexes.js';
import { findDeliveries, findDelivery } from '../../../deliveries/store/deliveryPages.js';
import { WAITING } from '../../../deliveries/store/waiting.js';
import { AppError } from '../../../lib/errors.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { deliveryRows, deliveryView } from '../deliveryViews.js';
import { PEOPLE } from '../exits.js';
import { readSentRequest } from '../sentRequest.js';
import { requireNamed } from '../leadFilter.js';
import { invalidField } from '../readInput.js';
import { id } from '../schemas/common.js';
import { DeliveryRow, DeliveryView } from '../schemas/delivery.js';
import { findLead } from './leads.js';

const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const EXAMPLE_DELIVERY = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10:1';

/** The stored states of each state that the list can be limited to. */
const STATES = {
  waiting: ['parked'],
  unknown: ['unknown'],
  sending: ['sending'],
  accepted: ['accepted'],
  rejected: ['rejected'],
  failed: ['failed'],
  abandoned: ['abandoned'],
  expired: ['expired'],
  done: ['accepted', 'rejected', 'failed', 'abandoned', 'expired'],
} as const satisfies Record<string, readonly DeliveryState[]>;
type StateFilter = keyof typeof STATES;

/** MongoDB merges the deliveries of so many buyers and states as it reads them. */
const MERGED_MAX = 200;

export const listDeliveries = defineList({
  name: 'list_deliveries',
  cli: ['deliveries', 'list'],
  summary: 'List deliveries that wait, and why',
  description:
    'Deliveries that wait for buyers, oldest first, each with the reason and until when. With state, or with lead_id: ' +
    'those that have ended too, newest first. A delivery is an attempt to sell a lead to a buyer.',
  permission: 'leads:read',
  letsOut: [{ ...PEOPLE, parts: ['reason', 'lead_name'] }],
  filters: {
    campaign_id: id('campaign').optional(),
    buyer_id: id('buyer').optional(),
    supplier_id: id('supplier').optional(),
    lead_id: id('lead').optional().describe('Only deliveries of this lead; without state: all'),
    state: z
      .enum(Object.keys(STATES) as [StateFilter, ...StateFilter[]])
      .optional()
      .describe(
        'waiting: to be sent, including held ones. sending needs lead_id. done: all that have ended. Default: waiting ' +
          'and unknown',
      ),
    created_from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Opened at this instant or later, such as 2026-11-22T07:30:00Z'),
  },
  example: { buyer_id: EXAMPLE_BUYER, state: 'unknown' },
  output: z.array(DeliveryRow),
  async find(filter, context, wanted) {
    const { created_from, lead_id, campaign_id, buyer_id, supplier_id } = filter;
    const named = { campaign_id, buyer_id, supplier_id };
    if (lead_id !== undefined) await findLead(lead_id, context);
    const states = statesOf(filter);
    const { collections, orgId: org_id } = context;
    const page = await findDeliveries(
      collections.deliveries,
      {
        org_id,
        states,
        lead_id,
        ...named,
        from: created_from ? new Date(created_from) : undefined,
      },
      wanted,
      await buyersToMerge({ ...filter, states }, context),
    );
    if (!page) throw tooMany();
    // An unknown name has no deliveries either.
    if (page.docs.length === 0 && wanted.after === null) await requireNamed(named, context);
    return page;
  },
  show: (rows, context) => deliveryRows(rows, context),
});

export const getDelivery = defineAction({
  name: 'get_delivery',
  cli: ['deliveries', 'get'],
  summary: 'Show a delivery',
  description:
    'One delivery: its request, its tries and answers, why it waits and until when, and what can be done about it.',
  permission: 'leads:read',
  letsOut: [
    { ...PEOPLE, parts: ['reason', 'lead_name', 'reference', 'answer', 'request', 'history'] },
  ],
  // Where a buyer receives its leads, and in which form, is the buyer's data.
  shows: { parts: ['request'], permission: 'buyers:read' },
  input: z.strictObject({
    delivery_id: z
      .string()
      .min(1)
      .max(120)
      .describe(
        'The id of the delivery: the id of its lead, a colon, and the number of the attempt',
      ),
  }),
  example: { delivery_id: EXAMPLE_DELIVERY },
  output: DeliveryView,
  async run({ delivery_id }, context) {
    const { collections, orgId } = context;
    const row = await findDelivery(collections.deliveries, orgId, delivery_id);
    if (!row) throw new AppError('not_found', `There is no delivery ${delivery_id}.`);
    const lead = await collections.leads.findOne({ _id: row.lead_id, org_id: orgId });
    const [view, request] = await Promise.all([
      deliveryView(row, lead?.trail ?? [], context),
      readSentRequest(row, lead, context),
    ]);
    return { ...view, request };
  },
});

interface Asked {
  state?: StateFilter;
  lead_id?: string;
  buyer_id?: string;
}

function statesOf({ state, lead_id }: Asked): readonly DeliveryState[] {
  if (state === undefined) return lead_id === undefined ? WAITING : ['sending', ...LISTED_STATES];
  if (state === 'sending' && lead_id === undefined) {
    const message =
      'lead_id is required with state sending: a delivery is being sent for seconds, and no list has them.';
    throw invalidField('lead_id', 'required', message);
  }
  return STATES[state];
}

/** The buyers whose deliveries are merged where the filter names no lead and no buyer, and not only what waits. */
async function buyersToMerge(
  { states, lead_id, buyer_id, state }: Asked & { states: readonly DeliveryState[] },
  { collections, orgId }: ActionContext,
): Promise<string[]> {
  const isIndexed = states.every((one) => WAITING.includes(one));
  if (isIndexed || lead_id !== undefined || buyer_id !== undefined) return [];
  const most = Math.floor(MERGED_MAX / states.length);
  const buyers = await collections.buyers
    .find({ org_id: orgId }, { projection: { _id: 1 } })
    .limit(most + 1)
    .toArray();
  if (buyers.length <= most) return buyers.map(({ _id }) => _id);
  const message = `buyer_id or lead_id is required with state ${state ?? ''}: the account has more than ${most} buyers.`;
  throw invalidField('buyer_id', 'required', message);
}

const tooMany = (): AppError =>
  new AppError(
    'action_refused',
    'The search for these deliveries would read too many. Name a buyer, a later created_from, or one filter less.',
  );
