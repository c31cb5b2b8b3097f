/** Must hold after any fault: the suppliers' answers, the buyers' journals and the record agree. */
import { setTimeout as delay } from 'node:timers/promises';
import { reconcile, type ReconcileDeps } from '../../src/app/reconcile.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { TestAccount } from '../support/account.js';
import type { BuyerRequest, FakeBuyer } from '../support/fakeBuyer.js';
import type { ServiceBed } from '../support/service.js';
import { aPerson, type Answer, type Supplier } from '../support/supplier.js';

export interface Posted {
  /** The person of the lead: it is found by it in the record, because a 503 names no id. */
  person: Record<string, string>;
  /** Null when the connection broke before the answer. */
  answer: Answer | null;
}

/** Posts leads of different people, one every `everyMs`, and collects the answers. */
export async function postMany(
  supplier: Supplier,
  count: number,
  everyMs: number,
): Promise<Posted[]> {
  const posts: Promise<Posted>[] = [];
  for (let n = 0; n < count; n++) {
    const person = aPerson();
    posts.push(
      supplier.post(person).then(
        (answer) => ({ person, answer }),
        () => ({ person, answer: null }),
      ),
    );
    if (everyMs > 0) await delay(everyMs);
  }
  return Promise.all(posts);
}

export interface Scene {
  bed: ServiceBed;
  account: TestAccount;
  /** One server for all buyers of the account; each has its name as its path. */
  buyer: FakeBuyer;
}

export const leadsOf = ({ bed, account }: Scene): Promise<Lead[]> =>
  bed.collections.leads.find({ campaign_id: account.campaignId }).toArray();

export const rowsOf = ({ bed, account }: Scene): Promise<DeliveryDoc[]> =>
  bed.collections.deliveries.find({ campaign_id: account.campaignId }).toArray();

/** The repair, which runs every minute, finds what a killed process stored and never started: here at once. */
export async function repairUnstarted({ bed, account }: Scene, deps: ReconcileDeps): Promise<void> {
  const ago = new Date(Date.now() - 60_000);
  const { leads } = bed.collections;
  const unstarted = { campaign_id: account.campaignId, status: 'NEW' } as const;
  const ended = { lease_until: { $lt: new Date() } };
  await leads.updateMany({ ...unstarted, run: null }, { $set: { created_at: ago } });
  await leads.updateMany(
    { ...unstarted, ...ended },
    { $set: { created_at: ago, lease_until: ago } },
  );
  await reconcile(deps);
}

/** True when nothing waits any more except leads held with an unknown result. */
export async function isSettled(scene: Scene): Promise<boolean> {
  const [leads, rows] = await Promise.all([leadsOf(scene), rowsOf(scene)]);
  const held = new Set(rows.flatMap((row) => (row.state === 'unknown' ? [row.lead_id] : [])));
  return leads.every(
    ({ _id, status, run }) =>
      (status !== 'NEW' && status !== 'PENDING') || (held.has(_id) && run === null),
  );
}

/** Everything false in answers and records, one line each; an empty list is right. */
export async function findLies(scene: Scene, posted: readonly Posted[]): Promise<string[]> {
  const [leads, rows] = await Promise.all([leadsOf(scene), rowsOf(scene)]);
  const byEmail = new Map(leads.map((lead) => [String(lead.fields.email), lead]));
  const journal = readJournal(scene);
  return [
    ...posted.flatMap(({ person, answer }) => falseAnswer(answer, byEmail.get(person.email ?? ''))),
    ...leads.flatMap((lead) => falseSale(lead, journal.takers(lead._id))),
    ...wrongKeys(journal.requests),
    ...(await wrongCounts(scene, leads, rows)),
  ];
}

function readJournal({ account, buyer }: Scene) {
  const paths = Object.entries(account.buyers).map(([name, id]) => ({ path: `/${name}`, id }));
  const taken = paths.map(({ path, id }) => ({ id, leads: buyer.accepted(path) }));
  const requests = buyer.requests.flatMap((request) => {
    const id = paths.find(({ path }) => path === request.path)?.id;
    return id === undefined ? [] : [{ ...request, buyerId: id }];
  });
  return {
    requests,
    /** A buyer that accepted the lead twice is listed twice. */
    takers: (leadId: string) =>
      taken.flatMap(({ id, leads }) => leads.filter((one) => one === leadId).map(() => id)),
  };
}

function falseAnswer(answer: Answer | null, lead: Lead | undefined): string[] {
  if (!answer) return [];
  const { status, data } = answer;
  if (status === 503) {
    if (!lead || lead.status === 'WITHDRAWN') return [];
    return [`503, but lead ${lead._id} is ${lead.status}`];
  }
  // A 504 says that the result is unknown.
  if (status === 504) return [];
  if (status !== 201) return [`${status} ${answer.error ?? ''} was not expected`];
  const said = `201 ${data?.delivery ?? ''} for lead ${data?.id ?? ''}`;
  if (!lead || lead._id !== data?.id) return [`${said}, but it is not stored`];
  if (
    data.delivery === 'delivered' &&
    (lead.status !== 'ACCEPTED' || lead.buyer_id !== data.buyer_id)
  )
    return [`${said} to ${data.buyer_id ?? ''}, but it is ${lead.status} ${lead.buyer_id ?? ''}`];
  if (['ACCEPTED', 'EXPIRED', 'PENDING'].includes(lead.status)) return [];
  return [`${said}, but it is ${lead.status}`];
}

/** A held lead may have one taker whose answer is unknown; a withdrawn one has none. */
function falseSale(lead: Lead, takers: readonly string[]): string[] {
  const state = `lead ${lead._id} is ${lead.status}, buyer ${lead.buyer_id ?? 'none'}`;
  if (takers.length > 1) return [`${state}, but was accepted ${takers.length} times`];
  if (lead.sales.length > 1) return [`${state}, but has ${lead.sales.length} sales`];
  if (lead.status === 'ACCEPTED' && takers[0] !== lead.buyer_id)
    return [`${state}, but ${takers[0] ?? 'nobody'} has it`];
  if (takers.length > 0 && !['ACCEPTED', 'PENDING', 'NEW'].includes(lead.status))
    return [`${state}, but ${takers[0] ?? ''} has it`];
  return [];
}

function wrongKeys(requests: readonly (BuyerRequest & { buyerId: string })[]): string[] {
  return requests
    .filter(({ idempotencyKey, leadId, buyerId }) => idempotencyKey !== `${leadId}:${buyerId}`)
    .map(({ idempotencyKey }) => `a request came with the key ${idempotencyKey}`);
}

async function wrongCounts(
  { bed, account }: Scene,
  leads: readonly Lead[],
  rows: readonly DeliveryDoc[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, id] of Object.entries(account.buyers)) {
    const counter = await bed.collections.caps.findOne({
      _id: `buyer:${account.campaignId}:${id}`,
    });
    const sold = leads.filter((lead) => lead.buyer_id === id).length;
    const waiting = rows.filter(
      ({ buyer_id, state }) => buyer_id === id && ['parked', 'unknown', 'sending'].includes(state),
    ).length;
    const counted = counter?.total.count ?? 0;
    if (counted !== sold + waiting)
      wrong.push(`${name} counts ${counted}, sold ${sold}, waiting ${waiting}`);
    // A run killed between the sale and ending its reservation leaves one behind; its count is right.
    const accepted = new Set(rows.filter((row) => row.state === 'accepted').map((row) => row._id));
    const held = (counter?.held ?? []).filter(({ hold_id }) => !accepted.has(hold_id));
    if (held.length > 0) wrong.push(`${name} still holds ${held.length} slots`);
  }
  return wrong;
}
