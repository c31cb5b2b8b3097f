/** A sold lead agrees with its outcomes: each is counted once and on its trail once; the last one sets its money. */
import type { Lead, Sale } from '../../../src/leads/rules/lead.js';
import type { Micros } from '../../../src/fields/money.js';
import type { OutcomeAsk } from '../../../src/leads/rules/saleChange.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { Total, Violation } from '../evidence/evidence.js';
import { stateOf, type Property } from './facts.js';
import { madeOf } from './said.js';

export const soldLeads: Property = ({ evidence }) => {
  const docs = Map.groupBy(evidence.after.outcomes, ({ lead_id }) => lead_id);
  return evidence.record.leads.flatMap((lead) => judge(lead, madeOf(docs.get(lead._id) ?? [])));
};

type Off = (total: Total, rule: string, what: string) => void;

function judge(lead: Lead, made: readonly ChangeDoc[]): Violation[] {
  const found: Violation[] = [];
  const off: Off = (total, rule, what) =>
    found.push({ total, rule, what: `${stateOf(lead)}, but ${what}`, lead_id: lead._id });
  judgeNumbers(lead, made, off);
  for (const sale of lead.sales) judgeSale(sale, lead, made, off);
  const last = wordOf(made);
  if (lead.outcome !== last.outcome)
    off('lost', 'outcome_state_off', `says ${lead.outcome}, and the last word was ${last.outcome}`);
  return found;
}

/** From 1 without a gap, each on the trail once, and as many as the lead has counted. */
function judgeNumbers(lead: Lead, made: readonly ChangeDoc[], off: Off): void {
  const numbers = made.map(({ seq }) => seq ?? 0);
  const counted = lead.outcome_seq ?? 0;
  if (new Set(numbers).size < numbers.length)
    off('doubled', 'outcome_number_doubled', `its outcomes have the numbers ${numbers.join(', ')}`);
  else if (counted !== numbers.length || counted !== (numbers.at(-1) ?? 0)) {
    const what = `it has counted ${counted} outcomes, and those on record have the numbers ${numbers.join(', ') || 'none'}`;
    off(counted > numbers.length ? 'doubled' : 'lost', 'outcome_count_off', what);
  }
  const onTrail = lead.trail.flatMap(({ step, detail }) =>
    step === 'outcome' ? [Number(detail?.seq)] : [],
  );
  if (new Set(onTrail).size < onTrail.length)
    off('doubled', 'outcome_told_twice', `its trail has the outcomes ${onTrail.join(', ')}`);
  const missing = numbers.filter((seq) => !onTrail.includes(seq));
  if (missing.length > 0)
    off('lost', 'outcome_not_on_trail', `its trail lacks the outcomes ${missing.join(', ')}`);
}

function judgeSale(sale: Sale, lead: Lead, made: readonly ChangeDoc[], off: Off): void {
  const own = wordOf(made.filter(({ buyer_id }) => buyer_id === sale.buyer_id));
  const { outcome, conversion_revenue, note } = sale;
  const is = [outcome, conversion_revenue, note].map(String).join(', ');
  const right = [own.outcome, own.conversion_revenue, own.note].map(String).join(', ');
  const whose = `its sale to ${sale.buyer_id}`;
  if (is !== right) off('lost', 'outcome_state_off', `${whose} says ${is}; right is ${right}`);
  const brings = sale.revenue ?? sale.price;
  const due = lead.is_test ? 0 : rightRevenue(sale, own);
  if (brings !== due)
    off('money off', 'outcome_revenue_off', `${whose} brings ${brings}, not ${due}`);
}

/** For each field, the last value reported. */
const wordOf = (made: readonly ChangeDoc[]): Partial<OutcomeAsk> =>
  Object.assign({}, ...made.map(({ ask }) => ask)) as Partial<OutcomeAsk>;

/** No link of a run agrees on a price for conversions. */
const rightRevenue = (
  { price }: Sale,
  { outcome, conversion_revenue }: Partial<OutcomeAsk>,
): Micros => (outcome === 'converted' ? (conversion_revenue ?? price) : price);
