/** Endings of leads: the consistent stories that the checker's tests use, and then break. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Completed, Invoked } from '../evidence/evidence.js';
import type { BuyerName, StoryRun } from './stories.js';

export interface Told {
  asked: Invoked;
  answer: Completed;
  lead: Lead;
}
export interface Sold extends Told {
  row: DeliveryDoc;
  request: number;
}

const ACCEPTED: Partial<DeliveryDoc> = { state: 'accepted', http_status: 200 };

const sale = (buyer_id: BuyerName, attempt: number, at: Date): Partial<Lead> => ({
  status: 'ACCEPTED',
  buyer_id,
  price: 10,
  cost: 4,
  profit: 6,
  sales: [{ buyer_id, attempt, price: 10, cost: 4, at }],
});

/** Posted, accepted by the first buyer, answered `delivered`. */
export function sold(
  run: StoryRun,
  buyer: BuyerName = 'holding',
  overrides: Partial<Invoked> = {},
): Sold {
  const asked = run.asks(overrides);
  const lead = run.lead(asked, sale(buyer, 1, new Date(asked.at + 250)));
  const row = run.row(lead, buyer, ACCEPTED);
  const request = run.request(row, 'accepted');
  const answer = run.told(asked, { answer: 'delivered', lead_id: lead._id, buyer_id: buyer });
  return { asked, answer, lead, row, request };
}

/** The first buyer refused, the second one accepted. */
export function soldToSecond(run: StoryRun, first: BuyerName, second: BuyerName): Sold {
  const asked = run.asks();
  const lead = run.lead(asked, sale(second, 2, new Date(asked.at + 250)));
  run.request(run.row(lead, first, { state: 'rejected', http_status: 422 }), 'rejected');
  const row = run.row(lead, second, ACCEPTED);
  const request = run.request(row, 'accepted');
  const answer = run.told(asked, { answer: 'delivered', lead_id: lead._id, buyer_id: second });
  return { asked, answer, lead, row, request };
}

/** Both accepted, one after the other; the fixed cost is paid with the first sale. */
export function soldToBoth(
  run: StoryRun,
  first: BuyerName = 'asked_again',
  second: BuyerName = 'holding',
): Sold & { further: DeliveryDoc } {
  const told = sold(run, first);
  const { lead } = told;
  const at = new Date(lead.created_at.getTime() + 500);
  lead.sales.push({ buyer_id: second, attempt: 2, price: 10, cost: 0, at });
  Object.assign(lead, { price: 20, profit: 16 });
  const further = run.row(lead, second, { ...ACCEPTED, cost: 0, further: true });
  run.request(further, 'accepted');
  return { ...told, further };
}

/** A repeat of a sold lead, sent to the same buyer. */
export function soldAgain(run: StoryRun, of: Sold): Sold {
  const buyer = of.row.buyer_id as BuyerName;
  const { phone, email } = of.asked;
  const told = sold(run, buyer, { phone, email });
  Object.assign(told.lead, { duplicate_of: of.lead._id, route_to: buyer });
  told.answer.duplicate_of = of.lead._id;
  return told;
}

/** The first answer was lost; sent again under the same key, the buyer repeated its acceptance. */
export function soldWhenAskedAgain(run: StoryRun): Sold {
  const asked = run.asks();
  const decidedAt = new Date(asked.at + 5_000);
  const lead = run.lead(asked, {
    ...sale('asked_again', 1, decidedAt),
    decided_at: decidedAt,
    pending_at: new Date(asked.at + 200),
  });
  const row = run.row(lead, 'asked_again', {
    state: 'accepted',
    http_status: 200,
    tries: 2,
    send_by: new Date(asked.at + 5_000),
    settled_at: decidedAt,
  });
  const request = run.request(row, 'accepted', 'cut');
  run.request(row, 'replayed', 'answered', 4_000);
  const answer = run.told(asked, { answer: 'pending', lead_id: lead._id });
  return { asked, answer, lead, row, request };
}

/** The answer was lost, and this buyer's policy is to wait. */
export function held(run: StoryRun): Sold {
  const asked = run.asks();
  const lead = run.lead(asked, { status: 'PENDING', pending_at: new Date(asked.at + 200) });
  delete lead.decided_at;
  const row = run.row(lead, 'holding', { state: 'unknown' });
  const request = run.request(row, 'accepted', 'cut');
  const answer = run.told(asked, { answer: 'pending', lead_id: lead._id });
  return { asked, answer, lead, row, request };
}

/** The first buyer's acceptance was lost, and its policy is to fail over. */
export function passedOn(run: StoryRun): Sold {
  const asked = run.asks();
  const lead = run.lead(asked, sale('holding', 2, new Date(asked.at + 250)));
  run.request(run.row(lead, 'failing_over', { state: 'abandoned' }), 'accepted', 'cut');
  const row = run.row(lead, 'holding', ACCEPTED);
  const request = run.request(row, 'accepted');
  const answer = run.told(asked, { answer: 'delivered', lead_id: lead._id, buyer_id: 'holding' });
  return { asked, answer, lead, row, request };
}

/** No answer came, and this buyer's policy counts silence as an acceptance. */
export function assumed(run: StoryRun): Told {
  const asked = run.asks();
  const lead = run.lead(asked, sale('assuming', 1, new Date(asked.at + 250)));
  run.request(run.row(lead, 'assuming', { state: 'accepted', reason: 'no answer' }), 'hung', 'cut');
  const answer = run.told(asked, { answer: 'delivered', lead_id: lead._id, buyer_id: 'assuming' });
  return { asked, answer, lead };
}

export function unmatched(run: StoryRun): Told {
  const asked = run.asks();
  const lead = run.lead(asked, { status: 'UNMATCHED' });
  run.request(run.row(lead, 'holding', { state: 'rejected', http_status: 422 }), 'rejected');
  const answer = run.told(asked, { answer: 'unmatched', status: 200, lead_id: lead._id });
  return { asked, answer, lead };
}

/** A duplicate of an earlier lead. */
export function duplicate(run: StoryRun, of: Told): Told {
  const { phone, email } = of.asked;
  const asked = run.asks({ phone, email });
  const lead = run.lead(asked, { status: 'DUPLICATE', duplicate_of: of.lead._id });
  const answer = run.told(asked, {
    answer: 'duplicate',
    status: 200,
    lead_id: lead._id,
    duplicate_of: of.lead._id,
  });
  return { asked, answer, lead };
}

/** 503, and the lead was withdrawn; sent again, it was sold. */
export function soldWhenSentAgain(
  run: StoryRun,
  buyer: BuyerName = 'holding',
): Sold & { first: Told } {
  const asked = run.asks();
  const lead = run.lead(asked, { status: 'WITHDRAWN' });
  const answer = run.told(asked, { answer: 'not_taken', outcome: 'fail', status: 503 });
  const { intent, idempotency_key, phone, email } = asked;
  const again = sold(run, buyer, { intent, idempotency_key, phone, email, time: 2 });
  return { ...again, first: { asked, answer, lead } };
}

/** The same request again, answered from the stored answer. */
export function replayed(run: StoryRun, { asked, answer }: Told): Completed {
  const { intent, idempotency_key, phone, email } = asked;
  const again = run.asks({ intent, idempotency_key, phone, email, time: 2 });
  const { status, lead_id, buyer_id, duplicate_of } = answer;
  const same = { answer: answer.answer, status, lead_id, buyer_id, duplicate_of };
  return run.told(again, { ...same, replayed: true });
}

/** The supplier's own cap is full. */
export function capped(run: StoryRun): Told {
  const asked = run.asks();
  const lead = run.lead(asked, { status: 'REJECTED', refusal: 'supplier_capped' });
  const answer = run.told(asked, { answer: 'capped', status: 403 });
  return { asked, answer, lead };
}

/** Held until its age limit: the buyer never answered. */
export function expired(run: StoryRun): Sold {
  const story = held(run);
  const { lead, row } = story;
  const end = new Date(row.created_at.getTime() + 60_000);
  Object.assign(lead, { status: 'EXPIRED', decided_at: end });
  Object.assign(row, { state: 'expired', expires_at: end, settled_at: end });
  return story;
}
