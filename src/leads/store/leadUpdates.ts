/** A lead's transitions: each is an update of one document and safe to repeat, by any process. */
import type { AnyBulkWriteOperation, Document } from 'mongodb';
import type { Lead, Sale } from '../rules/lead.js';
import type { ClosingReason, TrailEntry } from '../rules/trail.js';
import { type LeadStatus, OPEN_STATUSES } from '../rules/leadStatus.js';
import { type EventSubscriptions, NO_SUBSCRIPTIONS } from '../../events/rules/events.js';
import type { Micros } from '../../fields/money.js';
import { definedOnly } from '../../lib/defined.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import {
  createdEvent,
  ENDING_EVENTS,
  unsoldFacts,
  outboxFields,
  selectSubscribed,
  type EventCandidate,
} from './outboxFields.js';

type Update = AnyBulkWriteOperation<Lead>;

export interface Decided {
  leadId: string;
  status: Exclude<LeadStatus, 'NEW' | 'PENDING' | 'SELLING' | 'ACCEPTED'>;
  /** Why; it is stored in the closing entry of the trail. */
  reason?: ClosingReason;
  buyerId?: string;
  /** Entries before the closing one. */
  trail: TrailEntry[];
  set?: Partial<Lead>;
}

/** A repeat that goes to the buyer of its original. */
export interface Routed {
  leadId: string;
  duplicate_of: string;
  route_to: string;
}

export interface Sold {
  leadId: string;
  /** From its plan: the lead is done when it has this many sales. */
  maxSells: number;
  sale: Sale;
  profit: Micros;
  /**
   * For a further sale of a lead whose supplier is paid once: that payment. The sale bears it only if the earlier sales
   * were returned meanwhile, and their cost reversed.
   */
  owed?: Micros;
  trail: TrailEntry[];
}

/** A lead on its way into the durable lane. */
export interface ParkedLead {
  leadId: string;
  trail: TrailEntry[];
}

const OPEN = { $in: [...OPEN_STATUSES] };

/** A final state, while the run still owns the lead. */
export function decisionUpdate(
  decided: Decided,
  run: string,
  now: Date,
  subscriptions: EventSubscriptions = NO_SUBSCRIPTIONS,
): Update {
  const { leadId, status, reason, buyerId, trail, set } = decided;
  const last = closing(status, { at: now, buyer_id: buyerId, reason });
  return {
    updateOne: {
      filter: { _id: leadId, run, status: OPEN },
      update: [
        {
          $set: {
            ...literals({ ...set }),
            decided_at: { $ifNull: ['$decided_at', now] },
            status: promised(status),
            run: null,
            lease_until: null,
            ...RECOUNT,
            ...outboxFields(decisionEvents(decided, now), subscriptions),
            ...appended({ $concatArrays: [{ $literal: trail }, [last]] }),
          },
        },
      ],
    },
  };
}

/**
 * Sales, whichever run owns the leads. A repeated call finds its sale, and a lead that occurs twice is not sold twice.
 * Sales without subscribers share statements.
 */
export const saleUpdates = (
  sold: readonly Sold[],
  now: Date,
  subscriptions: EventSubscriptions = NO_SUBSCRIPTIONS,
): Update[] =>
  groupUpdates<Lead, Sold>(
    sold,
    ({ leadId, sale, profit, owed, trail }) => ({
      id: leadId,
      values: { sale, profit, trail, owed },
    }),
    (one) => (mayPublish.sale(one, now, subscriptions) ? one.leadId : '') + likenessOf(one),
    (one) => saleOf(one, now, subscriptions),
  );

/** Two sales of one lead have different attempts, so that they never share a statement. */
const likenessOf = ({ maxSells, sale, owed }: Sold): string =>
  `/${maxSells}/${sale.attempt}/${sale.outcome_due !== undefined}/${owed !== undefined}`;

/** The sales before it were all returned, and their cost reversed. */
const OWES = {
  $and: [
    { $gt: [{ $size: '$sales' }, 0] },
    {
      $allElementsTrue: [
        { $map: { input: '$sales', in: { $eq: ['$$this.returned.cost_reversed', true] } } },
      ],
    },
  ],
};
const CARRIED = { $cond: ['$owes', '$own.owed', 0] };
const SALE_THAT_CARRIES = {
  $cond: ['$owes', { $mergeObjects: ['$own.sale', { carries: '$own.owed' }] }, '$own.sale'],
};

function saleOf(sold: Sold, now: Date, subscriptions: EventSubscriptions) {
  const { maxSells, sale } = sold;
  const mayOwe = sold.owed !== undefined;
  return {
    filter: { status: OPEN, 'sales.attempt': { $ne: sale.attempt } },
    stages: [
      {
        $set: {
          more: { $lt: [{ $add: [{ $size: '$sales' }, 1] }, maxSells] },
          owes: mayOwe ? OWES : undefined,
        },
      },
      {
        $set: {
          status: { $cond: ['$more', 'SELLING', 'ACCEPTED'] },
          run: { $cond: ['$more', '$run', null] },
          lease_until: { $cond: ['$more', '$lease_until', null] },
          buyer_id: { $ifNull: ['$buyer_id', '$own.sale.buyer_id'] },
          price: { $add: ['$price', '$own.sale.price'] },
          cost: { $add: ['$cost', '$own.sale.cost', ...(mayOwe ? [CARRIED] : [])] },
          profit: mayOwe
            ? { $subtract: [{ $add: ['$profit', '$own.profit'] }, CARRIED] }
            : { $add: ['$profit', '$own.profit'] },
          decided_at: { $ifNull: ['$decided_at', now] },
          sales: { $concatArrays: ['$sales', [mayOwe ? SALE_THAT_CARRIES : '$own.sale']] },
          outcome_due: sale.outcome_due && {
            $ifNull: ['$outcome_due', '$own.sale.outcome_due'],
          },
          ...RECOUNT,
          ...outboxFields(saleEvents(sold, now), subscriptions),
          ...appended('$own.trail'),
        },
      },
      { $unset: ['more', ...(mayOwe ? ['owes'] : [])] },
    ],
  };
}

/** From its run to its delivery row. The supplier of a sold lead has its answer, so nothing is promised. */
export function parkUpdate(
  { leadId, trail }: ParkedLead,
  run: string,
  now: Date,
  subscriptions: EventSubscriptions = NO_SUBSCRIPTIONS,
): Update {
  const promise = { $ifNull: ['$pending_at', now] };
  return {
    updateOne: {
      filter: { _id: leadId, run, status: OPEN },
      update: [
        {
          $set: {
            status: { $cond: [IS_SOLD, 'SELLING', 'PENDING'] },
            pending_at: { $cond: [IS_SOLD, '$pending_at', promise] },
            run: null,
            lease_until: null,
            ...RECOUNT,
            ...outboxFields([createdEvent(now)], subscriptions),
            ...appended({ $literal: trail }),
          },
        },
      ],
    },
  };
}

/** The mark that a supplier was promised a decision. */
export const promiseUpdate = (now: Date, subscriptions: EventSubscriptions): Document[] => [
  {
    $set: {
      status: 'PENDING',
      pending_at: now,
      ...RECOUNT,
      ...outboxFields([createdEvent(now)], subscriptions),
    },
  },
];

/** Whether an update may have written an event to publish. */
export const mayPublish = {
  decision: (decided: Decided, now: Date, subscriptions: EventSubscriptions): boolean =>
    selectSubscribed(decisionEvents(decided, now), subscriptions).length > 0,
  sale: (sold: Sold, now: Date, subscriptions: EventSubscriptions): boolean =>
    selectSubscribed(saleEvents(sold, now), subscriptions).length > 0,
  creation: (now: Date, subscriptions: EventSubscriptions): boolean =>
    selectSubscribed([createdEvent(now)], subscriptions).length > 0,
};

/** A sale was reported when it was made; a broken promise is reported as expired, whatever the decision was. */
const decisionEvents = ({ status }: Decided, now: Date): EventCandidate[] => {
  const expires = { $and: [{ $not: [IS_SOLD] }, { $gt: ['$pending_at', null] }] };
  const ends = { $and: [{ $not: [IS_SOLD] }, { $lte: ['$pending_at', null] }] };
  return [
    createdEvent(now),
    ...(status === 'WITHDRAWN'
      ? []
      : [{ type: ENDING_EVENTS[status], at: now, data: unsoldFacts(status), when: ends }]),
    { type: 'lead.expired', at: now, data: unsoldFacts('EXPIRED'), when: expires },
  ];
};

/** A lead is accepted once, however often it is sold. */
const saleEvents = ({ sale }: Sold, now: Date): EventCandidate[] => {
  const { buyer_id, price, cost } = sale;
  const data = {
    status: 'ACCEPTED',
    outcome: null,
    buyer_id,
    price,
    revenue: price,
    cost,
  } as const;
  return [createdEvent(now), { type: 'lead.accepted', at: now, data, when: { $not: [IS_SOLD] } }];
};

/** The lead's contribution to the reports has changed: marked in the same update, so that no change is missed. */
export const RECOUNT = {
  uncounted: true,
  changes: { $add: [{ $ifNull: ['$changes', 0] }, 1] },
} as const;

const closing = (
  status: Decided['status'],
  { at, buyer_id, reason }: Pick<TrailEntry, 'at' | 'buyer_id' | 'reason'>,
): unknown => ({
  ...literals({ at }),
  step: 'closing',
  result: promised(status),
  ...literals({ buyer_id, reason }),
});

/** Room for a decision among hundreds of buyers; the end of a wait of days is in the last entries. */
const TRAIL_FIRST = 500;
const TRAIL_LAST = 500;

/** A trail stays short however often a lead is tried: middle entries are dropped, and counted. */
export function appended(entries: unknown): Record<string, unknown> {
  const all = { $concatArrays: ['$trail', entries] };
  const most = TRAIL_FIRST + TRAIL_LAST;
  const tooMany = { $gt: [{ $size: all }, most] };
  const ends = [{ $slice: [all, TRAIL_FIRST] }, { $slice: [all, -TRAIL_LAST] }];
  const dropped = {
    $add: [{ $ifNull: ['$trail_dropped', 0] }, { $subtract: [{ $size: all }, most] }],
  };
  return {
    trail: { $cond: [tooMany, { $concatArrays: ends }, all] },
    trail_dropped: { $cond: [tooMany, dropped, { $ifNull: ['$trail_dropped', '$$REMOVE'] }] },
  };
}

const IS_SOLD = { $eq: ['$status', 'SELLING'] };

/**
 * A promise of a decision ends in ACCEPTED or EXPIRED (contract 2.4); the trail has the reason. A sold lead is
 * accepted, whatever the result of its further sales.
 */
const promised = (status: Decided['status']): unknown => ({
  $cond: [IS_SOLD, 'ACCEPTED', { $cond: [{ $gt: ['$pending_at', null] }, 'EXPIRED', status] }],
});

/** Values for a pipeline stage, in which a text that starts with `$` would be read as a path. */
function literals(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(definedOnly(values)).map(([key, value]) => [key, { $literal: value }]),
  );
}
