/**
 * Why a lead is where it is, in one sentence that contains no data of the person: for the head of a page, which those
 * read too who see no people.
 */
import { DateTime } from 'luxon';
import { fromMicros, type Micros } from '../../fields/money.js';
import type { LeadStatus } from '../../leads/rules/leadStatus.js';
import { getOwn } from '../../lib/getOwn.js';
import type { Wait } from '../rules/whyWaiting.js';
import type { BuyerExplanation } from './explainBuyers.js';
import { counted, listed, nameOf, type Subject } from './explainWords.js';
import { decisiveReason, passedOverAt, shortReason, type ShortReason } from './shortReasons.js';

/** A buyer that the lead waits for, and why, as things are now. */
export interface WaitingFor extends Pick<Wait, 'text' | 'until'> {
  buyer_id: string;
}

export interface HeadlineFacts {
  buyers: readonly BuyerExplanation[];
  waiting: readonly WaitingFor[];
  now: Date;
}

export function headline(subject: Subject, facts: HeadlineFacts): string {
  const { lead } = subject;
  if (lead.sales.length > 0) return soldText(subject);
  const [first] = facts.waiting;
  if (first) return waitingText(first, subject, facts.now);
  return getOwn(WITHOUT_BUYER, lead.status) ?? unsoldText(subject, facts);
}

/** Where no buyer has a part in it. */
const WITHOUT_BUYER: Partial<Record<LeadStatus, string>> = {
  NEW: 'It is being decided.',
  PENDING: 'It waits for a buyer.',
  WITHDRAWN: 'Not sold: no worker started it in time, and its supplier received 503.',
};

function soldText(subject: Subject): string {
  const { sales, status } = subject.lead;
  const buyers = sales.map(
    ({ buyer_id, price, returned }) =>
      `${nameOf(buyer_id, subject)} for ${amount(price, subject)}${returned ? ', which returned it' : ''}`,
  );
  const further = status === 'SELLING' ? ', and may be sold further' : '';
  return `Sold to ${listed(buyers)}${further}.`;
}

function waitingText({ buyer_id, text, until }: WaitingFor, subject: Subject, now: Date): string {
  const end = until && until > now ? ` Until ${clock(until, subject, now)}.` : '';
  return `Waits for ${nameOf(buyer_id, subject)}. ${text}${end}`;
}

function unsoldText(subject: Subject, { buyers, now }: HeadlineFacts): string {
  const decisive = decisiveReason(subject);
  if (decisive) {
    const { until } = decisive.short ?? {};
    const end =
      until && until.at > now ? ` It is full until ${clock(until.at, subject, now)}.` : '';
    return `Not sold: ${decisive.text}.${end}`;
  }
  if (buyers.length === 0) return 'Not sold: the campaign has no buyers.';
  const reasons = buyers.map((buyer) => ({
    buyer,
    short: shortReason(buyer, passedOverAt(buyer.buyer_id, subject), subject),
  }));
  return `Not sold: ${groupsText(reasons)}.${untilText(reasons, subject, now)}`;
}

interface Reasoned {
  buyer: BuyerExplanation;
  short: ShortReason;
}

/** Buyers with the same reason share a clause, the largest group first. */
function groupsText(reasons: readonly Reasoned[]): string {
  const groups = [...Map.groupBy(reasons, ({ short }) => short.many)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const [only] = groups;
  const all = reasons.length;
  if (groups.length === 1 && only && all > 1)
    return `${all === 2 ? 'both' : `all ${all}`} buyers ${only[0]}`;
  const clauses = groups.slice(0, GROUPS_SHOWN).map(([many, [first, ...rest]]) => {
    if (first && rest.length === 0) return `${first.buyer.name} ${first.short.one}`;
    return `${counted(rest.length + 1, 'buyer')} ${many}`;
  });
  const more = groups.slice(GROUPS_SHOWN).flatMap(([, group]) => group).length;
  return listed([...clauses, ...(more > 0 ? [`${more} more for other reasons`] : [])]);
}

const GROUPS_SHOWN = 3;

/** When the first of them is open again; a buyer that alone decided it was just named. */
function untilText(reasons: readonly Reasoned[], subject: Subject, now: Date): string {
  const ends = reasons.flatMap(({ buyer, short: { until } }) =>
    until && until.at > now ? [{ name: buyer.name, ...until }] : [],
  );
  const [first] = ends.toSorted((a, b) => Number(a.at) - Number(b.at));
  if (!first) return '';
  const name = reasons.length === 1 ? 'It' : first.name;
  return ` ${name} is ${first.state} until ${clock(first.at, subject, now)}.`;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Such as `00:00 EST`; with its day where that is not within 24 hours. */
function clock(at: Date, { plan }: Pick<Subject, 'plan'>, now: Date): string {
  const format = Number(at) - Number(now) <= DAY_MS ? 'HH:mm ZZZZ' : 'LLL d, HH:mm ZZZZ';
  return DateTime.fromJSDate(at, { zone: plan.time_zone }).toFormat(format, { locale: 'en-US' });
}

/** Such as `$42.50`. */
const amount = (micros: Micros, { currency }: Subject): string =>
  currency === ''
    ? String(fromMicros(micros))
    : new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(fromMicros(micros));
