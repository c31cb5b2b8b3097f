/**
 * Reports on a million leads of one month: the duration of each, compared with the same figures counted from the leads;
 * and how fast leads are counted.
 */
import { createOrg } from '../../../src/account/orgs.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { totalLine } from '../../../src/reports/rules/rollups.js';
import { rollUp } from '../../../src/reports/rollUp.js';
import type { ReportScope } from '../../../src/reports/reading.js';
import { readReport, type GroupBy } from '../../../src/reports/report.js';
import { aLead } from '../../support/storedRows.js';
import type { Bench } from '../bench.js';

const LEADS = 1_000_000;
const AT_ONCE = 10_000;
const MONTH = { from: '2026-03-01', to: '2026-03-31' };
const FIRST = Date.parse('2026-03-01T00:00:00Z');
const MONTH_MS = 31 * 86_400_000;
const STATES = Array.from({ length: 50 }, (_, n) => `S${n}`);
const UNSOLD = ['UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const;
const READINGS = 21;

/** Over 5 campaigns, 10 suppliers, 20 buyers and 50 states; two of three are sold. */
function leadOf(n: number, org_id: string): Lead {
  const campaign = n % 5;
  const isSold = n % 3 !== 0;
  const created_at = new Date(FIRST + Math.floor((n / LEADS) * MONTH_MS));
  const sale = { attempt: 1, price: 25_500_000, cost: 12_000_000, at: created_at };
  return aLead({
    _id: `${org_id}:${n}`,
    org_id,
    campaign_id: `${org_id}:${campaign}`,
    created_at,
    supplier_id: `s${(n * 7) % 10}`,
    fields: { state: STATES[(n * 13) % STATES.length] ?? 'S0', phone: `+1555${n}` },
    status: isSold ? 'ACCEPTED' : (UNSOLD[n % UNSOLD.length] ?? 'UNMATCHED'),
    sales: isSold ? [{ ...sale, buyer_id: `b${campaign}-${(n * 11) % 4}` }] : [],
    changes: 1,
    uncounted: true,
  });
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const from = performance.now();
  const value = await work();
  return { ms: performance.now() - from, value };
}

export async function reports(
  { collections }: Pick<Bench, 'collections'>,
  say: (line: string) => void,
) {
  const deps = { collections, clock: systemClock };
  const { _id: orgId } = await createOrg(collections, { name: 'A million leads' });
  say(`\nReports: ${LEADS.toLocaleString('en')} leads of one month are stored ...`);
  for (let first = 0; first < LEADS; first += AT_ONCE) {
    const leads = Array.from({ length: AT_ONCE }, (_, n) => leadOf(first + n, orgId));
    await collections.leads.insertMany(leads, { ordered: false });
  }
  const counting = await timed(() => rollUp(deps, { orgId, withinMs: 3_600_000 }));
  const perSecond = Math.round(LEADS / (counting.ms / 1_000));
  const stored = await collections.rollups.countDocuments({ org_id: orgId });
  say(`counted at ${perSecond} leads a second, into ${stored} sums`);

  const scope = (more: Partial<ReportScope>): ReportScope => ({ orgId, ...MONTH, ...more });
  const cases: [name: string, scope: ReportScope, by: GroupBy][] = [
    ['stats by day', scope({}), 'day'],
    ['by buyer', scope({}), 'buyer'],
    ['by state', scope({}), 'state'],
    ['by status, one campaign', scope({ campaign_id: `${orgId}:0` }), 'status'],
    ['by buyer, one supplier', scope({ supplier_id: 's0' }), 'buyer'],
    ['by state, one buyer', scope({ buyer_id: 'b0-0' }), 'state'],
    ['by state, one supplier', scope({ supplier_id: 's0' }), 'state'],
  ];
  const rows = [];
  for (const [name, within, by] of cases) {
    const times: number[] = [];
    let leads = 0;
    for (let n = 0; n < READINGS; n++) {
      const { ms, value } = await timed(() => readReport(deps, within, by));
      times.push(ms);
      leads = totalLine(value.rows).leads;
    }
    rows.push({ name, median_ms: median(times), worst_ms: Math.max(...times), leads });
    say(
      `  ${name.padEnd(26)} median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms, ${leads} leads`,
    );
  }
  const counted = await timed(() =>
    collections.leads
      .aggregate([
        { $match: { org_id: orgId } },
        {
          $group: {
            _id: '$fields.state',
            leads: { $sum: 1 },
            revenue: { $sum: { $sum: '$sales.price' } },
          },
        },
      ])
      .toArray(),
  );
  say(`  the same by state from the leads themselves: ${counted.ms.toFixed(0)} ms`);
  return { perSecond, sums: stored, rows, from_leads_ms: counted.ms };
}
