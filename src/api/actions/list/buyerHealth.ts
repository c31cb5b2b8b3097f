/** How buyers do: breakers, queues, answers and how long they take. */
import { z } from 'zod';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { BY_AGE, type BuyerDoc } from '../../../account/store/accountDocs.js';
import { breakerState } from '../../../deliveries/rules/breaker.js';
import { buyerFigures, healthResult } from '../../../deliveries/rules/buyerHealth.js';
import {
  findOpenBreakers,
  findQueued,
  readQueueStates,
  type QueueState,
} from '../../../deliveries/store/attention.js';
import {
  findMeasured,
  measureEach,
  type MeasuredAttempt,
} from '../../../deliveries/store/buyerAttempts.js';
import type { DestinationDoc } from '../../../deliveries/store/destinationDoc.js';
import { findByIds } from '../../../platform/mongo/findByIds.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { ActiveStatus, id, Instant, orNull, recordId, recordName } from '../schemas/common.js';

const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const HOUR_MS = 3_600_000;
/** Latest attempts that are measured, of one buyer and of each buyer of a list. */
const MEASURED_MAX = 1_000;
const MEASURED_OF_EACH = 100;
/** Deliveries that are counted for the queues of an answer. */
const QUEUED_MAX = 200_000;
const BREAKERS_MAX = 1_000;
const LAST_ANSWERS = 10;

const Ms = z.number().int();
const Count = z.number().int();

const State = z.object({
  id: recordId('buyer'),
  name: recordName('buyer'),
  status: ActiveStatus.describe('active: gets leads'),
  breaker: z
    .enum(['closed', 'open', 'half-open'])
    .describe('open: nothing is sent until open_until. half-open: one delivery at a time is tried'),
  open_since: orNull(Instant).describe('Since when the breaker is not closed; null: it is closed'),
  open_until: orNull(Instant).describe('When a cooldown ends; null: there is none'),
  failures: Count.describe('Failed requests in a row'),
  queue_held: z.boolean().describe('An operator holds the whole queue'),
  waiting: Count.describe('Deliveries to be sent, including held ones'),
  held: Count.describe('Those of them that an operator holds, each by itself'),
  unknown: Count.describe('Deliveries that were never answered and wait for a decision'),
  oldest_at: orNull(Instant).describe('Since when the oldest of these waits; null: none waits'),
  next_at: orNull(Instant).describe('When the next one is due; null: none is to be sent'),
});

const Figures = z.object({
  measured_from: Instant.describe('The figures below are of deliveries opened from then on'),
  measured: Count.describe('Answers whose time was measured: those of the latest deliveries'),
  accepted: Count.describe('Of the latest deliveries'),
  rejected: Count.describe('Of the latest deliveries'),
  failed: Count.describe('Answered with a failure, or not reached'),
  unanswered: Count.describe('Sent, and no answer in time'),
  p50_ms: orNull(Ms).describe('Half of the answers came within these milliseconds; null: none'),
  p95_ms: orNull(Ms).describe('The same of 95 %'),
  p99_ms: orNull(Ms).describe('The same of 99 %'),
});

const Health = State.extend(Figures.shape);
const ListedHealth = State.extend(Figures.partial().shape);

const LastAnswer = z.object({
  delivery_id: recordId('delivery'),
  at: Instant.describe('When it was recorded, UTC'),
  result: z.enum(['accepted', 'rejected', 'failed', 'unanswered']).describe('The kind of answer'),
  http_status: orNull(z.number().int()).describe('Null: no answer over HTTP'),
  latency_ms: orNull(Ms).describe('How long it took; null: not known'),
});

const hours = z
  .number()
  .int()
  .min(1)
  .max(168)
  .default(24)
  .describe('Measures the deliveries opened in the last hours, 1 to 168');

export const getBuyerHealth = defineAction({
  name: 'get_buyer_health',
  cli: ['buyers', 'get-health'],
  summary: 'Show how a buyer does',
  description:
    'Breaker, queue, latest answers, and how long they take: of the latest ' +
    `${MEASURED_MAX} deliveries to the buyer at most.`,
  permission: 'buyers:read',
  input: z.strictObject({ buyer_id: id('buyer'), hours }),
  example: { buyer_id: EXAMPLE_BUYER },
  output: Health.extend({
    last_answers: z.array(LastAnswer).describe(`The latest ${LAST_ANSWERS}, newest first`),
  }),
  async run({ buyer_id, hours: given }, context) {
    const { collections, orgId: org_id, clock } = context;
    const from = begin(given, clock.now());
    const [[state], attempts] = await Promise.all([
      findBuyer(context, buyer_id).then((buyer) => readStates([buyer], context)),
      findMeasured(collections.deliveries, { org_id, buyer_id, from }, MEASURED_MAX),
    ]);
    if (!state) throw new Error(`The health of buyer ${buyer_id} was not read`);
    return { ...state, ...figuresView(attempts, from), last_answers: lastAnswers(attempts) };
  },
});

export const listBuyerHealth = defineList({
  name: 'list_buyer_health',
  cli: ['buyers', 'list-health'],
  summary: 'List how all buyers do',
  description:
    `Breaker, queue and figures of each buyer, oldest buyer first. Measured are the latest ${MEASURED_OF_EACH} ` +
    'deliveries of each.',
  permission: 'buyers:read',
  filters: {
    status: ActiveStatus.optional().describe('Only those with this status'),
    waiting: z
      .boolean()
      .default(false)
      .describe('true: only buyers for which deliveries wait, or whose breaker is not closed'),
    hours,
    figures: z.boolean().default(true).describe('false: only breakers and queues'),
  },
  example: { status: 'active', limit: 50 },
  output: z.array(ListedHealth),
  async find({ status, waiting, hours: given, figures }, context, wanted) {
    const { collections, orgId: org_id } = context;
    const _id = waiting ? { $in: await findTroubled(context) } : undefined;
    // In their order from the index: by their ids MongoDB would sort them in memory.
    const options = { hint: BY_AGE };
    const page = await findPage(collections.buyers, { org_id, status, _id }, OLDEST_FIRST, {
      ...wanted,
      options,
    });
    return { ...page, docs: page.docs.map((buyer) => ({ buyer, hours: given, figures })) };
  },
  async show(rows, context) {
    const buyers = rows.map(({ buyer }) => buyer);
    const [asked] = rows;
    const [states, figuresOf] = await Promise.all([
      readStates(buyers, context),
      asked?.figures ? readFigures(buyers, asked.hours, context) : null,
    ]);
    return states.map((state) => ({ ...state, ...figuresOf?.(state.id) }));
  },
});

/** Buyers for which deliveries wait, and those whose breaker is not closed. */
async function findTroubled({ collections, orgId }: ActionContext): Promise<string[]> {
  const { buyers, deliveries, destinations } = collections;
  const ids = buyers.find({ org_id: orgId }, { projection: { _id: 1 } }).toArray();
  const [queued, breakers] = await Promise.all([
    ids.then((all) =>
      findQueued(
        deliveries,
        all.map(({ _id }) => _id),
      ),
    ),
    findOpenBreakers(destinations, orgId, BREAKERS_MAX),
  ]);
  return [...queued, ...breakers.map(({ _id }) => _id)];
}

const begin = (hoursBack: number, now: Date): Date => new Date(Number(now) - hoursBack * HOUR_MS);

/** Breaker and queue of each of these buyers. */
async function readStates(buyers: readonly BuyerDoc[], { collections, clock }: ActionContext) {
  const ids = buyers.map(({ _id }) => _id);
  const [destinations, queues] = await Promise.all([
    findByIds(collections.destinations, ids, { projection: { events: 0, sending: 0, asked: 0 } }),
    readQueueStates(collections.deliveries, ids, QUEUED_MAX),
  ]);
  const now = clock.now();
  return buyers.map((buyer) =>
    stateView(buyer, destinations.get(buyer._id), queues.get(buyer._id), now),
  );
}

/** The figures of the latest deliveries of each of these buyers. */
async function readFigures(
  buyers: readonly BuyerDoc[],
  hoursBack: number,
  { collections, orgId: org_id, clock }: ActionContext,
) {
  const from = begin(hoursBack, clock.now());
  const buyer_ids = buyers.map(({ _id }) => _id);
  const measured = await measureEach(collections, { org_id, buyer_ids, from }, MEASURED_OF_EACH);
  return (buyerId: string) => figuresView(measured.get(buyerId) ?? [], from);
}

const figuresView = (attempts: Parameters<typeof buyerFigures>[0], from: Date) => ({
  measured_from: from,
  ...buyerFigures(attempts),
});

function stateView(
  buyer: BuyerDoc,
  destination: DestinationDoc | undefined,
  queue: QueueState | undefined,
  now: Date,
) {
  const until = destination?.open_until ?? null;
  return {
    id: buyer._id,
    name: buyer.name,
    status: buyer.status,
    breaker: breakerState(destination, now),
    open_since: destination?.paused_at,
    open_until: until && until > now ? until : null,
    failures: destination?.failures ?? 0,
    queue_held: destination?.held === true,
    waiting: queue?.parked ?? 0,
    held: queue?.held ?? 0,
    unknown: queue?.unknown ?? 0,
    oldest_at: queue?.oldest,
    next_at: queue?.due,
  };
}

const lastAnswers = (attempts: readonly MeasuredAttempt[]) =>
  attempts
    .flatMap((attempt) => {
      const result = healthResult(attempt);
      const { _id: delivery_id, settled_at: at, http_status, latency_ms } = attempt;
      return result && at ? [{ delivery_id, at, result, http_status, latency_ms }] : [];
    })
    .sort((a, b) => Number(b.at) - Number(a.at))
    .slice(0, LAST_ANSWERS);
