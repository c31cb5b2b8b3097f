/** One sentence for each entry of a trail. */
import type { CapScope } from '../../account/rules/capLimits.js';
import { CLOSING_CLAUSES, said, STATE_CLAUSES, SUSPECT_CLAUSES } from './explainReasons.js';
import { failuresText, leftOutClause } from './explainLeftOut.js';
import { counted, detailOf, listed, money, nameOf, shown, textsOf } from './explainWords.js';
import type { Subject } from './explainWords.js';
import type { TrailEntry, TrailResults } from '../../leads/rules/trail.js';
import { rankingOf, type RankingMethod } from '../../account/rules/plan.js';
import { getOwn } from '../../lib/getOwn.js';

/** Undefined where the entry has an unknown reason or value. */
type StepText = (entry: TrailEntry, subject: Subject) => string | undefined;

const METHODS: Record<RankingMethod, string> = {
  WATERFALL: 'by priority',
  ROUND_ROBIN: 'in turn',
  WEIGHTED: 'drawn by weight',
  HIGHEST_BID: 'by price',
  LOCKED_BIDS: 'by their bids',
  STATIC_BIDS: 'by the bids that their prices make, since nobody pinged for it',
};

/** The reason of an answer, and further notes about it. */
function because(entry: TrailEntry): string {
  const words = [entry.reason, ...textsOf(detailOf(entry).notes)].map(said).filter(Boolean);
  return words.length === 0 ? '' : `: ${words.join('; ')}`;
}

/** A change of a sale after it was made. */
const OUTCOMES: Record<TrailResults['outcome'], StepText> = {
  pending: (entry, subject) => `${who(entry, subject)}: not decided yet${now(entry, subject)}.`,
  converted: (entry, subject) =>
    `${who(entry, subject)}: it became a customer${now(entry, subject)}.`,
  not_qualified: (entry, subject) =>
    `${who(entry, subject)}: it does not qualify${now(entry, subject)}.`,
  updated: (entry, subject) =>
    `${who(entry, subject)}: details were recorded${now(entry, subject)}.`,
  cleared: (entry, subject) =>
    `${who(entry, subject)}: the outcome was taken back${now(entry, subject)}.`,
  expired: (entry, subject) =>
    `The time limit for an outcome passed, and ${nameOf(entry.buyer_id, subject)} had reported none.`,
  returned: (entry, subject) => {
    const why = entry.reason === undefined ? '' : ` (${entry.reason})`;
    return `${nameOf(entry.buyer_id, subject)} returned it${why}${now(entry, subject)}.`;
  },
};

const STEPS: { [S in TrailEntry['step']]: Record<TrailResults[S], StepText> } = {
  received: {
    valid: (entry) => {
      const { plan_version: version, resale_of: origin } = detailOf(entry);
      const decides = `version ${shown(version)} of the campaign decides it`;
      if (origin !== undefined)
        return `It has the data of lead ${shown(origin)}, to be sold again; ${decides}.`;
      return `Its fields were valid; ${decides}.`;
    },
  },
  ping: { redeemed, differs },
  origin: {
    suspected: ({ reason = '' }) => {
      const clause = getOwn(SUSPECT_CLAUSES, reason);
      return clause && `Its page suspects a bot: ${clause}.`;
    },
  },
  filters: {
    passed: (entry, { plan }) =>
      plan.filters === null
        ? `The campaign has no filters${termsBy(entry)}.`
        : `It passed the filters of the campaign${termsBy(entry)}.`,
    failed: (entry, subject) =>
      `The filters of the campaign refuse it: ${failuresText(detailOf(entry), subject.plan.filters, entry.at, subject)}.`,
  },
  suppression: {
    passed: (entry) =>
      `${counted(Number(detailOf(entry).lists), 'suppression list')} checked; none refuses it.`,
    matched: suppressionMatched,
  },
  duplicates: { duplicate, routed },
  routing: {
    skipped: (entry, subject) => {
      const clause = leftOutClause(entry, subject);
      return clause && `${nameOf(entry.buyer_id, subject)} was passed over: ${clause}.`;
    },
    ranked: (entry, subject) => {
      const order = textsOf(detailOf(entry).order).map((id) => nameOf(id, subject));
      const { length } = subject.plan.buyers;
      const of = `${order.length} of ${counted(length, 'buyer')} ${length === 1 ? 'was' : 'were'} eligible`;
      const how = METHODS[rankingOf(subject.plan)];
      return `${of}; ${how}: ${listed(order)}.`;
    },
    no_buyer: (_entry, { plan: { buyers } }) =>
      buyers.length === 0
        ? 'The campaign had no buyers.'
        : `None of the ${counted(buyers.length, 'buyer')} of the campaign was eligible.`,
    turn: ({ buyer_id, reason }, subject) =>
      reason === 'all_resting'
        ? 'Buyers were equally good; each of them was in a cooldown.'
        : `Among equally good buyers it was the turn of ${nameOf(buyer_id, subject)}, which had waited longest.`,
  },
  caps: {
    full: capFull,
    lost: () => 'A later attempt already had its place.',
  },
  delivery: {
    accepted: answered('accepted it'),
    rejected: answered('refused it'),
    not_taken: answered('could not receive it'),
    unknown: (entry, subject) =>
      `${nameOf(entry.buyer_id, subject)} was sent it and gave no answer${because(entry)}.`,
    resumed,
    retried: (entry, subject) =>
      `${operator(entry)} had it sent to ${nameOf(entry.buyer_id, subject)} again${noted(entry)}.`,
    held: (entry, subject) =>
      `${operator(entry)} held it back from ${nameOf(entry.buyer_id, subject)}${noted(entry)}.`,
    dropped: (entry, subject) =>
      `${operator(entry)} ended its waiting for ${nameOf(entry.buyer_id, subject)}${noted(entry)}.`,
    resolved: (entry, subject) =>
      `${operator(entry)} settled it: ${nameOf(entry.buyer_id, subject)} ${shown(entry.reason)} it${noted(entry)}.`,
  },
  closing: {
    ACCEPTED: accepted,
    waiting: (entry, subject) =>
      `It waits for ${nameOf(entry.buyer_id, subject)}${because(entry)}.`,
    UNMATCHED: ended('It ended unsold'),
    REJECTED: ended('It was refused'),
    DUPLICATE: ended('It ended as a duplicate'),
    EXPIRED: ended('It expired unsold'),
  },
  outcome: OUTCOMES,
};

/** The sentence of an entry, and whether every code in it was known. */
export function stepText(entry: TrailEntry, subject: Subject): { text: string; known: boolean } {
  const texts: Record<string, StepText> = STEPS[entry.step];
  const text = getOwn(texts, entry.result)?.(entry, subject);
  if (text !== undefined) return { text, known: true };
  const reason = entry.reason === undefined ? '' : ` (${entry.reason})`;
  return { text: `${entry.step}: ${entry.result}${reason}.`, known: false };
}

function redeemed(entry: TrailEntry, subject: Subject): string {
  const { ping_id, bids, pick } = detailOf(entry);
  const made = (Array.isArray(bids) ? bids : []) as Record<string, unknown>[];
  const texts = made.map(
    ({ buyer_id, price, bid }) =>
      `${nameOf(shown(buyer_id), subject)} ${money(Number(price), subject)} (the supplier gets ${money(Number(bid), subject)})`,
  );
  const picked = pick === undefined ? '' : ` The supplier picked ${nameOf(shown(pick), subject)}.`;
  return `It redeemed ping ${shown(ping_id)}, whose bids apply: ${listed(texts)}.${picked}`;
}

function differs(entry: TrailEntry): string {
  const fields = listed(textsOf(detailOf(entry).fields));
  return `It differs from its ping in ${fields}, which the campaign allows.`;
}

function suppressionMatched(entry: TrailEntry): string {
  const { matches } = detailOf(entry);
  const found = (Array.isArray(matches) ? matches : []) as { scope?: unknown; field?: unknown }[];
  const fields = listed([...new Set(found.map(({ field }) => shown(field)))]);
  const general = found.filter(({ scope }) => scope !== 'buyer').map(({ scope }) => shown(scope));
  const whose =
    general.length > 0
      ? `a suppression list of the ${listed([...new Set(general)])}`
      : 'the suppression lists of every eligible buyer';
  return `Its ${fields} is on ${whose}, so it was refused.`;
}

const samePerson = ({ plan }: Subject): string => {
  const { fields, match } = plan.dedupe;
  return `the same ${listed(fields, match === 'ALL' ? 'and' : 'or')}`;
};

function duplicate(entry: TrailEntry, subject: Subject): string | undefined {
  const { of, resend } = detailOf(entry);
  const original = shown(of);
  if (resend === true)
    return `It repeats the request of lead ${original}, and got the answer of that lead.`;
  const repeats = `It repeats lead ${original}, which has ${samePerson(subject)}`;
  if (entry.reason === 'original_undecided')
    return `${repeats}; no buyer had that lead yet, so this one could not be routed to it.`;
  return entry.reason === undefined ? `${repeats}, and the campaign refuses repeats.` : undefined;
}

function routed(entry: TrailEntry, subject: Subject): string {
  const original = shown(detailOf(entry).of);
  const buyer = nameOf(entry.buyer_id, subject);
  return `It repeats lead ${original}, which has ${samePerson(subject)}: it may go only to ${buyer}, who has that lead.`;
}

const OWNERS: Record<`${CapScope}_cap`, (buyer: string) => string> = {
  buyer_cap: (buyer) => buyer,
  supplier_cap: () => 'The supplier',
  campaign_cap: () => 'The campaign',
};

function capFull(entry: TrailEntry, subject: Subject): string | undefined {
  const owner = getOwn(OWNERS, entry.reason ?? '')?.(nameOf(entry.buyer_id, subject));
  if (owner === undefined) return undefined;
  const full = `${owner} had a full cap`;
  const { limit, allowed, counted: used, asks } = detailOf(entry);
  const [window = '', kind = ''] = shown(limit).split('_');
  if (kind !== 'budget')
    return `${full}: its ${window} cap is ${shown(allowed)}, and ${shown(used)} were counted.`;
  const [most, spent, more] = [allowed, used, asks].map((value) => money(Number(value), subject));
  return `${full}: its ${window} budget is ${most ?? ''}, ${spent ?? ''} were counted, and this lead asks for ${more ?? ''}.`;
}

function answered(what: string): StepText {
  return (entry, subject) => {
    const ms = detailOf(entry).latency_ms;
    const after = typeof ms === 'number' && ms > 0 ? ` after ${Math.round(ms)} ms` : '';
    return `${nameOf(entry.buyer_id, subject)} ${what}${after}${because(entry)}.`;
  };
}

function resumed(entry: TrailEntry, subject: Subject): string | undefined {
  const state = getOwn(STATE_CLAUSES, entry.reason ?? '');
  const barred =
    detailOf(entry).barred === true
      ? ' A suppression list of the organization or the campaign has the person: no buyer may have it.'
      : '';
  const buyer = nameOf(entry.buyer_id, subject);
  return state && `It was resumed at ${buyer}: ${state}${termsBy(entry)}.${barred}`;
}

/** The version whose terms apply to its buyers, where it is not that of the lead. */
function termsBy(entry: TrailEntry): string {
  const { plan_version } = detailOf(entry);
  return plan_version === undefined
    ? ''
    : `, now by version ${shown(plan_version)} of the campaign`;
}

const operator = (entry: TrailEntry): string => {
  const by = shown(detailOf(entry).by);
  return by === '' ? 'An operator' : `An operator (${by})`;
};
const noted = (entry: TrailEntry): string => {
  const note = shown(detailOf(entry).note);
  return note === '' ? '' : `: “${note}”`;
};

/** A sale names its buyer; without one, further sales have ended. */
function accepted({ buyer_id, reason }: TrailEntry, subject: Subject): string | undefined {
  if (reason !== undefined) {
    const clause = getOwn(CLOSING_CLAUSES, reason);
    return clause && `It is sold to no further buyer: ${clause}.`;
  }
  const sale = subject.lead.sales.find((one) => one.buyer_id === buyer_id);
  const buyer = nameOf(buyer_id, subject);
  if (!sale) return `It was sold to ${buyer}.`;
  const [price, cost] = [money(sale.price, subject), money(sale.cost, subject)];
  return `It was sold to ${buyer} for ${price}; the supplier gets ${cost} for it.`;
}

/** An entry without a reason: the previous one has it. */
function ended(how: string): StepText {
  return ({ reason, buyer_id }, subject) => {
    if (reason === undefined) return `${how}.`;
    const clause = getOwn(CLOSING_CLAUSES, reason);
    const whom = buyer_id === undefined ? '' : ` (it waited for ${nameOf(buyer_id, subject)})`;
    return clause && `${how}: ${clause}${whom}.`;
  };
}

/** The author of the change, and the sale. */
function who(entry: TrailEntry, subject: Subject): string {
  const buyer = nameOf(entry.buyer_id, subject);
  const by = (detailOf(entry).by ?? {}) as { kind?: unknown; name?: unknown };
  if (by.kind !== 'user') return `${buyer} reported`;
  const name = shown(by.name);
  return `An operator${name === '' ? '' : ` (${name})`} reported for ${buyer}`;
}

/** The present revenue of the sale, where it has changed. */
function now(entry: TrailEntry, subject: Subject): string {
  const revenue = detailOf(entry).revenue as { from?: unknown; to?: unknown } | undefined;
  if (!revenue || revenue.from === revenue.to) return '';
  return `; the sale brings ${money(Number(revenue.to), subject)} now`;
}
