/** Whether every outcome that was acknowledged is on its lead once, and the reports add up to the leads. */
import { systemClock } from '../../../src/lib/clock.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Micros } from '../../../src/fields/money.js';
import { fromMicros } from '../../../src/fields/money.js';
import { revenueOf } from '../../../src/leads/rules/saleMoney.js';
import { readReport } from '../../../src/reports/report.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { TestAccount } from '../../support/account.js';
import type { Bench } from '../bench.js';

export interface Audit {
  acknowledged: number;
  /** Acknowledged, and not applied to this lead. */
  missing: number;
  /** Stored, and not yet applied. */
  open: number;
  /** Applied without an acknowledgment: the buyer received 504, or no answer. */
  unacknowledged: number;
  /** Leads that do not agree with the changes applied to them. */
  wrongLeads: number;
  /** Report sums that differ from those of the leads. */
  wrongSums: string[];
  passed: boolean;
}

type Change = Pick<ChangeDoc, '_id' | 'lead_id' | 'state' | 'seq' | 'ask'>;
type Audited = Pick<Lead, '_id' | 'sales' | 'price' | 'outcome' | 'outcome_seq' | 'applied'> &
  Pick<Lead, 'trail'>;

export async function auditOutcomes(
  { collections }: Pick<Bench, 'collections'>,
  sold: { account: Pick<TestAccount, 'orgId'>; acknowledged: ReadonlyMap<string, string> },
): Promise<Audit> {
  const { orgId: org_id } = sold.account;
  const changes = await collections.outcomes
    .find({ org_id })
    .project<Change>({ lead_id: 1, state: 1, seq: 1, ask: 1 })
    .toArray();
  const leads = await collections.leads
    .find({ org_id })
    .project<Audited>({
      sales: 1,
      price: 1,
      outcome: 1,
      outcome_seq: 1,
      applied: 1,
      trail: 1,
    })
    .toArray();
  const made = new Map(changes.filter(isMade).map((change) => [change._id, change]));
  const { acknowledged } = sold;
  const found = [...acknowledged].filter(([id, leadId]) => made.get(id)?.lead_id === leadId);
  const perLead = Map.groupBy([...made.values()], ({ lead_id }) => lead_id);
  const audit = {
    acknowledged: acknowledged.size,
    missing: acknowledged.size - found.length,
    open: changes.length - made.size,
    unacknowledged: [...made.keys()].filter((id) => !acknowledged.has(id)).length,
    wrongLeads: leads.filter((lead) => !agrees(lead, perLead.get(lead._id) ?? [])).length,
    wrongSums: await wrongSums(collections, org_id, leads),
  };
  const { missing, open, wrongLeads, wrongSums: sums } = audit;
  return { ...audit, passed: missing + open + wrongLeads + sums.length === 0 };
}

export const auditLine = (audit: Audit): string =>
  `  audit: ${audit.passed ? 'passed' : 'FAILED'}: ${audit.acknowledged} acknowledged, ${audit.missing} missing, ` +
  `${audit.open} still open, ${audit.unacknowledged} made without an answer, ${audit.wrongLeads} leads wrong` +
  (audit.wrongSums.length === 0 ? ', reports agree' : `; ${audit.wrongSums.join('; ')}`);

const isMade = ({ state, seq }: Change): boolean => state === 'made' && seq !== undefined;

/** Numbered without a gap, each in the trail once, the last of them on the sale, and no note left over. */
function agrees({ sales, price, outcome_seq, applied, trail }: Audited, made: Change[]): boolean {
  const seqs = made.map(({ seq = 0 }) => seq).sort((a, b) => a - b);
  const told = trail.filter(({ step }) => step === 'outcome').map(({ detail }) => detail?.seq);
  const last = made.find(({ seq }) => seq === outcome_seq)?.ask;
  const [sale] = sales;
  return (
    seqs.every((seq, n) => seq === n + 1) &&
    (outcome_seq ?? 0) === made.length &&
    told.join() === seqs.join() &&
    (applied ?? []).length === 0 &&
    price === sales.reduce((sum, one) => sum + revenueOf(one), 0) &&
    (last?.kind !== 'outcome' ||
      (sale?.outcome === last.outcome && sale?.conversion_revenue === last.conversion_revenue))
  );
}

const FOREVER = { from: '2000-01-01', to: '2999-12-31' };

/** Counted by status, from the roll-ups and from the leads. */
async function wrongSums(
  collections: Bench['collections'],
  orgId: string,
  leads: readonly Audited[],
): Promise<string[]> {
  const scope = { orgId, ...FOREVER };
  const { rows } = await readReport({ collections, clock: systemClock }, scope, 'status');
  const counted = new Map<string, string>(
    rows.map(({ status, leads: count, revenue }) => [status, sumOf(count, revenue)]),
  );
  const own = new Map<string, string>(
    [...Map.groupBy(leads, ({ outcome }) => outcome ?? 'ACCEPTED')].map(([status, some]) => [
      status,
      sumOf(
        some.length,
        some.reduce((sum, { price }) => sum + price, 0),
      ),
    ]),
  );
  return [...new Set([...own.keys(), ...counted.keys()])]
    .filter((status) => own.get(status) !== counted.get(status))
    .map(
      (status) =>
        `${status}: reports say ${counted.get(status) ?? 'none'}, leads ${own.get(status) ?? 'none'}`,
    );
}

const sumOf = (count: number, revenue: Micros): string => `${count} of ${fromMicros(revenue)}`;
