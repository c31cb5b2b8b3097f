import { dayAfter } from '../../fields/days.js';
import { total } from '../../reports/rules/rollups.js';
import { readReport } from '../../reports/report.js';
import type { RollDeps } from '../../reports/countBatches.js';

/**
 * How many leads that came in in a month a buyer has bought so far, as reports count them: of very many that come in
 * just now some may be missing, never one too many.
 * @param month `2026-11`, in the account's time zone
 */
export async function countSoldInMonth(
  orgId: string,
  buyer_id: string,
  month: string,
  deps: RollDeps,
): Promise<number> {
  const from = `${month}-01`;
  // 31 days after the first is in the next month, whatever its name; its first is the day after this one's last.
  const to = dayAfter(`${dayAfter(from, 31).slice(0, 7)}-01`, -1);
  const { rows } = await readReport(deps, { orgId, from, to, buyer_id }, 'buyer');
  return total(rows).sales;
}
