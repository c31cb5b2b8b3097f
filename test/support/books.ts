/** The books of one campaign: leads, rows, counters, buyers' journals and answers, and where they contradict. */
import type { Lead } from '../../src/leads/rules/lead.js';
import { planId, type Plan, type SupplierTerms } from '../../src/account/rules/plan.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import type { CapDoc } from '../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { COUNTED_STATES } from '../../src/deliveries/store/deliveries.js';
import type { TestAccount } from './account.js';
import type { ServiceBed } from './service.js';
import { type Answer } from './supplier.js';
import { waitFor } from './waitFor.js';

export interface Books {
  account: TestAccount;
  leads: Lead[];
  rows: DeliveryDoc[];
  /** Every version, by id. */
  plans: Map<string, Plan>;
  caps: Map<string, CapDoc>;
}

/** The person of a posted lead: identifies the lead where the answer names no id. */
export interface Told {
  email: string;
  answer: Answer;
}

const DECIDED: readonly Lead['status'][] = [
  ...(['ACCEPTED', 'UNMATCHED', 'DUPLICATE'] as const),
  ...(['REJECTED', 'EXPIRED', 'WITHDRAWN'] as const),
];

export async function readBooks(
  { collections }: Pick<ServiceBed, 'collections'>,
  account: TestAccount,
): Promise<Books> {
  const ofCampaign = { campaign_id: account.campaignId };
  const [leads, rows, plans, caps] = await Promise.all([
    collections.leads.find(ofCampaign).toArray(),
    collections.deliveries.find(ofCampaign).toArray(),
    collections.plans.find(ofCampaign).toArray(),
    collections.caps.find({ _id: { $regex: account.campaignId } }).toArray(),
  ]);
  return {
    account,
    leads,
    rows,
    plans: new Map(plans.map((plan) => [plan._id, plan])),
    caps: new Map(caps.map((doc) => [doc._id, doc])),
  };
}

/**
 * The books once every lead is decided and no reservation is held any more; on a timeout the error names those open.
 */
export async function closedBooks(bed: ServiceBed, account: TestAccount): Promise<Books> {
  let books = await readBooks(bed, account);
  const open = (): unknown[] => [
    ...books.leads
      .filter(({ status }) => !DECIDED.includes(status))
      .map(({ _id, status, run, takes, lease_until }) => ({
        _id,
        status,
        run,
        takes,
        lease_until,
        rows: books.rows
          .filter(({ lead_id }) => lead_id === _id)
          .map(({ state, reason, due_at }) => ({ state, reason, due_at })),
      })),
    ...[...books.caps.values()].filter(({ held }) => held.length > 0),
  ];
  const isClosed = async () => {
    books = await readBooks(bed, account);
    return open().length === 0;
  };
  await waitFor(isClosed, {
    message: 'every lead is decided, no slot is held',
    timeoutMs: 30_000,
    intervalMs: 250,
  }).catch((error: unknown) => {
    throw new Error(`Still open: ${JSON.stringify(open().slice(0, 5))}`, { cause: error });
  });
  return books;
}

export const planOf = ({ plans }: Books, lead: Lead): Plan => {
  const plan = plans.get(planId(lead.campaign_id, lead.plan_version));
  if (!plan) throw new Error(`Lead ${lead._id} names version ${lead.plan_version}, which is none`);
  return plan;
};

/**
 * Sales against the plan each lead names: how many, to which buyers, at which prices; and the sums of the lead. An
 * empty list is right.
 */
export const wrongSales = (books: Books): string[] =>
  books.leads.flatMap((lead) => {
    const plan = planOf(books, lead);
    const { sales, buyer_id, price, cost, profit, status } = lead;
    const supplier = plan.suppliers[lead.supplier_id];
    const sums = { price: sumOf(sales, 'price'), cost: sumOf(sales, 'cost') };
    const problems = [
      sales.length > plan.max_sells && `${sales.length} sales of ${plan.max_sells}`,
      new Set(sales.map((sale) => sale.buyer_id)).size < sales.length && 'sold to one buyer twice',
      buyer_id !== (sales[0]?.buyer_id ?? null) && `names ${buyer_id}, not its first buyer`,
      sales.length > 0 !== (status === 'ACCEPTED') && `${sales.length} sales`,
      (price !== sums.price || cost !== sums.cost) && `${price} and ${cost} are no sums`,
      profit !== price - cost && `profit ${profit} is not ${price} - ${cost}`,
      ...sales.map(({ buyer_id: buyer, price: paid, cost: costs, attempt }, n) => {
        const due = plan.buyers.find((terms) => terms.buyer_id === buyer)?.price;
        const owed = due === undefined || !supplier ? undefined : costOf(due, supplier, n === 0);
        const row = books.rows.find(({ _id }) => _id === `${lead._id}:${attempt}`);
        const agrees = row?.state === 'accepted' && row.buyer_id === buyer;
        return (
          (paid !== due || costs !== owed || !agrees) &&
          `${buyer} pays ${paid}, costs ${costs}, row ${row?.state}; ${due} and ${owed} are right`
        );
      }),
    ];
    return problems.flatMap((problem) =>
      problem === false ? [] : [`lead ${lead._id}, ${status}: ${problem}`],
    );
  });

/** What the supplier gets for a sale (contract 4.6), half a micro-unit rounded up. */
function costOf(price: number, supplier: SupplierTerms, isFirst: boolean): number {
  if (supplier.cost_mode === 'NONE') return 0;
  if (supplier.cost_mode === 'FIXED') return isFirst ? supplier.cost_per_lead : 0;
  return Math.round((price * supplier.revenue_share) / 100);
}

const sumOf = <K extends string>(items: readonly Record<K, number>[], key: K): number =>
  items.reduce((sum, item) => sum + item[key], 0);

/** Counters against rows, in leads and money: exactly what a buyer has or what waits for it. */
export function wrongCounts({ account, rows, caps }: Books): string[] {
  const counted = rows.filter(({ state, reserved }) => reserved && COUNTED_STATES.includes(state));
  const first = counted.filter(({ further }) => further !== true);
  const { campaignId } = account;
  const links = [
    ...Object.values(account.buyers).map((id) => {
      const own = counted.filter(({ buyer_id }) => buyer_id === id);
      return { id: buyerCap(campaignId, id), count: own.length, amount: sumOf(own, 'price') };
    }),
    ...account.suppliers.map(({ id }) => {
      const own = (row: DeliveryDoc) => row.supplier_id === id;
      const amount = sumOf(counted.filter(own), 'cost');
      return { id: supplierCap(campaignId, id), count: first.filter(own).length, amount };
    }),
    { id: campaignCap(campaignId), count: first.length, amount: sumOf(counted, 'price') },
  ];
  return links.flatMap(({ id, count, amount }) => {
    const doc = caps.get(id);
    // Suppliers and campaigns have counters once they have a cap, buyers once they were asked.
    if (!doc && (!id.startsWith('buyer:') || count === 0)) return [];
    const { total, held = [] } = doc ?? {};
    if (total?.count === count && total.amount === amount && held.length === 0) return [];
    const says = `${total?.count} leads, ${total?.amount} micros, ${held.length} held`;
    return [`counter ${id} says ${says}; ${count} leads, ${amount} micros are right`];
  });
}

/** The leads that buyers have by their own count (ids, by buyer name), against the sales of the record. */
export function wrongOwners(books: Books, journals: Record<string, readonly string[]>): string[] {
  return Object.entries(journals).flatMap(([name, taken]) => {
    const id = books.account.buyers[name];
    const sold = books.leads.filter(({ sales }) => sales.some((sale) => sale.buyer_id === id));
    const [own, record] = [taken.toSorted(), sold.map(({ _id }) => _id).toSorted()];
    if (own.length === record.length && own.every((lead, n) => lead === record[n])) return [];
    const has = `${own.length} leads, ${new Set(own).size} of them different`;
    return [`${name} has ${has}; by the record it has ${record.length}`];
  });
}

/** The answers to suppliers against the record; and sales without an acknowledging answer. */
export function wrongAnswers(books: Books, told: readonly Told[]): string[] {
  const byId = new Map(books.leads.map((lead) => [lead._id, lead]));
  const acknowledged = new Set(told.flatMap(({ answer }) => answer.data?.id ?? []));
  // A 504 says that the result is unknown.
  const doubtful = new Set(told.flatMap((one) => (one.answer.status === 504 ? one.email : [])));
  const isSilent = ({ _id, sales, fields }: Lead) =>
    sales.length > 0 && !acknowledged.has(_id) && !doubtful.has(String(fields.email));
  return [
    ...books.leads.filter(isSilent).map(({ _id }) => `lead ${_id} is sold, and nobody was told`),
    ...told.flatMap(({ email, answer }) => {
      const lead = byId.get(answer.data?.id ?? '');
      const own = books.leads.filter(({ fields }) => fields.email === email);
      if (isTrue(answer, lead, own)) return [];
      const { status, error, data } = answer;
      return [`${status} ${error ?? JSON.stringify(data)}, but it is ${lead?.status}`];
    }),
  ];
}

/** @param own every lead of that person */
function isTrue({ status, error, data }: Answer, lead: Lead | undefined, own: Lead[]): boolean {
  if (status === 201 && data?.delivery === 'pending') {
    return data.buyer_id === null && ['ACCEPTED', 'EXPIRED'].includes(lead?.status ?? '');
  }
  if (status === 201) return lead?.status === 'ACCEPTED' && data?.buyer_id === lead.buyer_id;
  if (status === 200) {
    return lead?.status === data?.status && lead?.duplicate_of === data?.duplicate_of;
  }
  if (status === 504) return true;
  const isUnsold = own.every(({ sales }) => sales.length === 0);
  if (status === 503) return isUnsold;
  if (error === 'supplier_capped') return isUnsold && own.some(({ refusal }) => refusal === error);
  if (error === 'filtered') return isUnsold && own.some(({ filter_errors }) => !!filter_errors);
  return false;
}
