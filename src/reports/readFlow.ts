/** The way of the leads of some days, in sums: from suppliers, past the checks, to buyers, and why the others were lost. */
import type { CountedStatus } from '../leads/rules/contribution.js';
import type { LossReason } from '../leads/rules/loss.js';
import type { RollDeps } from './countBatches.js';
import { readUpToDate, selectSums, type ReportScope } from './reading.js';
import { LINE_NAMES, type LineSums } from './rules/rollups.js';
import { sumByStatus } from './store/statusSums.js';

/** The sums of one status of a supplier, a buyer or a reason; of none of them: of all leads. */
export interface FlowRow extends LineSums {
  facet: 'all' | 'supplier' | 'buyer' | 'reason';
  /** Of a supplier or a buyer. */
  id: string | null;
  reason: LossReason | null;
  of: string | null;
  status: CountedStatus;
}

/** The days of a flow, of a campaign or of the whole organization. */
export type FlowScope = Pick<ReportScope, 'orgId' | 'from' | 'to' | 'campaign_id'>;

export interface Flows {
  rows: FlowRow[];
  /** Of the days to compare with. */
  before: FlowRow[];
  uncounted: number;
}

/** @param before other days of the same leads; null: nothing to compare with */
export async function readFlows(
  deps: RollDeps,
  scope: FlowScope,
  before: Pick<FlowScope, 'from' | 'to'> | null,
): Promise<Flows> {
  const read = (asked: FlowScope) => readFlow(deps, asked);
  const { found, uncounted } = await readUpToDate(deps, {
    counting: 'leads',
    orgId: scope.orgId,
    read: () => Promise.all([read(scope), before ? read({ ...scope, ...before }) : []]),
  });
  return { rows: found[0], before: found[1], uncounted };
}

const FACETS: FlowRow['facet'][] = ['all', 'supplier', 'buyer', 'reason'];
const KEYS = {
  facet: '$facet',
  supplier: '$supplier_id',
  buyer: '$buyer_id',
  reason: '$reason',
  of: '$of',
};

async function readFlow({ collections }: RollDeps, scope: FlowScope): Promise<FlowRow[]> {
  const match = selectSums(scope, { $in: FACETS });
  const { rows } = await sumByStatus(collections.rollups, { match, keys: KEYS, names: LINE_NAMES });
  return rows.map(({ keys, ...sums }) => {
    const { facet, supplier, buyer, reason, of } = keys as unknown as Keys;
    return { ...sums, facet, id: supplier ?? buyer, reason, of };
  });
}

interface Keys extends Pick<FlowRow, 'facet' | 'reason' | 'of'> {
  supplier: string | null;
  buyer: string | null;
}
