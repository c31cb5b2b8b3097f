/**
 * Rows of sales that a run recorded and died before it had written the buyer's answer into the row: the lead has both
 * the sale and, in its trail, the answer.
 */
import { settling, type RowResult } from '../../deliveries/store/rowResults.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { DistributionCollections } from '../store/collections.js';
import { rowId } from '../task.js';

type Sold = Pick<Lead, '_id' | 'sales' | 'trail'>;

/**
 * Settles those of the rows that a sale of their lead names, as accepted. The text of the answer is lost.
 * @param leadOf the lead of each row, by the row's id
 */
export async function settleSoldRows(
  leadOf: ReadonlyMap<string, string>,
  { leads, deliveries }: Pick<DistributionCollections, 'leads' | 'deliveries'>,
  now: Date,
): Promise<void> {
  const found = await leads
    .find<Sold>({ _id: { $in: [...leadOf.values()] } }, { projection: { sales: 1, trail: 1 } })
    .toArray();
  const results = found.flatMap(resultsOf).filter(({ id }) => leadOf.has(id));
  if (results.length > 0)
    await deliveries.bulkWrite(settling(results, {}, now), { ordered: false });
}

const resultsOf = ({ _id, sales, trail }: Sold): RowResult[] =>
  sales.map(({ attempt, price, cost }) => ({
    id: rowId(_id, attempt),
    state: 'accepted',
    set: { price, cost, ...answerIn(trail, attempt) },
  }));

/** The facts of an answer that both the trail and the row record. */
function answerIn(trail: readonly TrailEntry[], attempt: number): RowResult['set'] {
  const entry = trail.find(
    ({ step, result, detail }) =>
      step === 'delivery' && result === 'accepted' && detail?.attempt === attempt,
  );
  const { latency_ms, http_status, reference } = (entry?.detail ?? {}) as RowResult['set'] & object;
  return {
    ...(entry?.reason === undefined ? {} : { reason: entry.reason }),
    ...(latency_ms === undefined ? {} : { latency_ms }),
    ...(http_status === undefined ? {} : { http_status }),
    ...(reference === undefined ? {} : { reference }),
  };
}
