/** What a buyer does with a request: drawn from the seed, by shares that its mode gives. */
import type { Micros } from '../../../src/fields/money.js';
import type { BuyerDecision } from '../evidence/evidence.js';
import { createRandom, type Random } from '../prng.js';

/**
 * The first seven accept the lead; the ones after `reject` accept nothing. `accept_garbled` is a 200 with a
 * meaningless body: without a response rule any 2xx is an acceptance (contract 6.4).
 */
export const BEHAVIORS = [
  'accept',
  'accept_slowly',
  'accept_late',
  'accept_dripping',
  'accept_garbled',
  'accept_then_reset',
  'accept_then_hang',
  'reject',
  'busy',
  'busy_wait',
  'limited',
  'garbage',
  'hang',
  'reset',
] as const;
export type BehaviorName = (typeof BEHAVIORS)[number];

/** Relative weights; behaviors not listed have 0. */
export type Shares = Partial<Record<BehaviorName, number>>;

/** `refuse`: connections are refused. `reset`: each connection is reset at once. Other modes answer by their shares. */
export type BuyerMode = 'well' | 'flaky' | 'busy' | 'limited' | 'hanging' | 'refuse' | 'reset';

const MODE_SHARES: Record<Exclude<BuyerMode, 'refuse' | 'reset' | 'well'>, Shares> = {
  flaky: {
    accept: 62,
    accept_slowly: 8,
    accept_late: 3,
    accept_dripping: 3,
    accept_garbled: 3,
    accept_then_reset: 3,
    accept_then_hang: 2,
    reject: 2,
    busy: 4,
    busy_wait: 2,
    limited: 2,
    garbage: 2,
    hang: 2,
    reset: 2,
  },
  busy: { busy: 60, busy_wait: 40 },
  limited: { limited: 1 },
  // From outside it is unknown whether the buyer accepted the lead.
  hanging: { hang: 50, accept_then_hang: 50 },
};

/** Milliseconds, from and to. */
export interface Times {
  /** `accept_slowly` answers after this time: within a buyer's time limit. */
  slow: [number, number];
  /** `accept_late` answers after this time: past a buyer's time limit. */
  late: [number, number];
  /** `accept_dripping` sends one byte per this time. */
  drip: number;
}

export const TIMES: Times = { slow: [100, 600], late: [2_500, 6_000], drip: 300 };

export interface Habits {
  /** The share, 0 to 1, of leads that it refuses while `well`. */
  rejects?: number;
  /** In place of the shares of `flaky`. */
  shares?: Shares;
  /** Its acceptance names the price: in this range, in currency units and whole cents, always the same for a lead. */
  prices?: readonly [from: number, to: number];
}

/** How the answer is sent; `reset` and `never` have none. */
export type Answer =
  | { way: 'whole' | 'drip'; status: number; headers: Record<string, string>; body: string }
  /** These bytes, then the connection ends. */
  | { way: 'raw'; bytes: string }
  | { way: 'reset' }
  | { way: 'never' };

export interface Behavior {
  name: BehaviorName;
  decision: BuyerDecision;
  /** Milliseconds between the decision and the answer. */
  delayMs: number;
  answer: Answer;
  /** The price that the answer names, in micro-units; absent where it names none. */
  price?: Micros;
}

export interface Asked {
  seed: string;
  buyer: string;
  leadId: string;
  /** Counts the requests of this lead to this buyer, from 1. */
  time: number;
  mode: BuyerMode;
  habits: Habits;
  times: Times;
  /** The stored decision under this key, for a buyer that honors keys; otherwise null. */
  first: 'accepted' | 'rejected' | null;
}

/** Returns the same for the same arguments, whatever happened in between. */
export function behaviorOf(asked: Asked): Behavior {
  const random = createRandom(asked.seed, `${asked.buyer} ${asked.leadId} ${asked.time}`);
  const weights = BEHAVIORS.map((name) => [name, sharesOf(asked)[name] ?? 0] as const);
  const drawn = random.weighted(weights);
  return actOut(keepWord(drawn, asked.first), asked, random);
}

function sharesOf({ mode, habits }: Asked): Shares {
  const { rejects = 0, shares } = habits;
  switch (mode) {
    case 'flaky':
      return shares ?? MODE_SHARES.flaky;
    case 'busy':
    case 'limited':
    case 'hanging':
      return MODE_SHARES[mode];
    case 'well':
    case 'refuse':
    case 'reset':
      // Requests that were read before the buyer went down are answered as in mode `well`.
      return { accept: 1 - rejects, reject: rejects };
  }
}

/** A buyer that honors keys may be busy or fail when asked again, but it never changes its decision. */
function keepWord(drawn: BehaviorName, first: Asked['first']): BehaviorName {
  if (first === 'accepted' && drawn === 'reject') return 'accept';
  if (first === 'rejected' && drawn.startsWith('accept')) return 'reject';
  return drawn;
}

function actOut(name: BehaviorName, asked: Asked, random: Random): Behavior {
  const { times, first } = asked;
  const taken: BuyerDecision = first === 'accepted' ? 'replayed' : 'accepted';
  const now = { name, delayMs: 0 };
  switch (name) {
    case 'accept':
      return { ...now, decision: taken, ...yesOf(asked) };
    case 'accept_slowly':
      return { ...now, decision: taken, ...yesOf(asked), delayMs: random.between(...times.slow) };
    case 'accept_late':
      return { ...now, decision: taken, ...yesOf(asked), delayMs: random.between(...times.late) };
    case 'accept_dripping': {
      const { answer, price } = yesOf(asked);
      return { ...now, decision: taken, answer: { ...answer, way: 'drip' }, price };
    }
    case 'accept_garbled':
      return { ...now, decision: taken, answer: { ...YES, body: random.pick(GARBLED) } };
    case 'accept_then_reset':
      return { ...now, decision: taken, answer: { way: 'reset' } };
    case 'accept_then_hang':
      return { ...now, decision: taken, answer: { way: 'never' } };
    case 'reject':
      return { ...now, decision: 'rejected', answer: whole(422, { reason: 'not wanted' }) };
    case 'busy':
      return { ...now, decision: 'busy', answer: whole(503, { error: 'busy' }) };
    case 'busy_wait':
      return { ...now, decision: 'busy', answer: whole(503, { error: 'busy' }, waiting(random)) };
    case 'limited':
      return {
        ...now,
        decision: 'limited',
        answer: whole(429, { error: 'slow' }, waiting(random)),
      };
    case 'garbage':
      return { ...now, decision: 'garbage', answer: random.pick(GARBAGE) };
    case 'hang':
      return { ...now, decision: 'hung', answer: { way: 'never' } };
    case 'reset':
      return { ...now, decision: 'reset', answer: { way: 'reset' } };
  }
}

type Whole = Extract<Answer, { status: number }>;

function whole(status: number, body: unknown, headers: Record<string, string> = {}): Whole {
  const all = { 'content-type': 'application/json', ...headers };
  return { way: 'whole', status, headers: all, body: JSON.stringify(body) };
}

const TAKEN = { ok: true, note: 'taken' };
const YES: Whole = whole(200, TAKEN);

/** A price is a number or a string: buyers send both. */
function yesOf({ seed, buyer, leadId, habits }: Asked): { answer: Whole; price?: Micros } {
  if (!habits.prices) return { answer: YES };
  const random = createRandom(seed, `price ${buyer} ${leadId}`);
  const [from, to] = habits.prices;
  const cents = random.between(Math.round(from * 100), Math.round(to * 100));
  const price = random.pick([cents / 100, (cents / 100).toFixed(2)]);
  return { answer: whole(200, { ...TAKEN, price }), price: cents * MICROS_A_CENT };
}

const MICROS_A_CENT = 10_000;

const GARBLED = ['', '<html>', '{"ok":', '\u0000\u0001', '"no"', '{"accepted":false}'];

/** Answers that no buyer should send; none of them is an acceptance. */
const GARBAGE: readonly Answer[] = [
  { way: 'raw', bytes: '\u0000\u0001 this is no HTTP \r\n\r\n' },
  { way: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort' },
  { way: 'raw', bytes: 'HTTP/1.1 200' },
  whole(999, { error: 'no such status' }),
  whole(302, {}, { location: 'http://127.0.0.1:9/elsewhere' }),
];

/** Whole seconds, the unit of Retry-After. */
const waiting = (random: Random) => ({ 'retry-after': String(random.between(1, 2)) });
