/** How the demo buyers answer: a function of the lead, so that a demo can say beforehand what must happen. */
import { getOwn } from '../lib/getOwn.js';

export const DEMO_BUYERS = ['premier', 'steady', 'open'] as const;
export type DemoBuyerName = (typeof DEMO_BUYERS)[number];

/** Last names that make a demo buyer do something else than take the lead at once. */
export const SPECIAL_LAST_NAMES = {
  /** Premier refuses it. */
  refusedByPremier: 'Refused',
  /** Steady refuses it. */
  refusedBySteady: 'Unwanted',
  /** Steady takes it, after `SLOW_MS`. */
  slowAtSteady: 'Slow',
} as const;

export const SLOW_MS = 400;
export const PREMIER_STATES: readonly string[] = ['CA', 'TX'];

export interface DemoAnswer {
  result: 'accepted' | 'refused' | 'unavailable';
  status: number;
  /** How long the buyer thinks about it, in milliseconds. */
  delayMs: number;
  body: Record<string, unknown>;
}

const accepted = (delayMs = 0): DemoAnswer => ({
  result: 'accepted',
  status: 200,
  delayMs,
  body: { accepted: true },
});

const refused = (reason: string): DemoAnswer => ({
  result: 'refused',
  status: 422,
  delayMs: 0,
  body: { accepted: false, reason },
});

/** What the buyer says to a lead while it is up. */
export function answerLead(buyer: DemoBuyerName, lead: Record<string, unknown>): DemoAnswer {
  if (buyer === 'premier') {
    if (lead.last_name === SPECIAL_LAST_NAMES.refusedByPremier) return refused('budget_too_small');
    const served = typeof lead.state === 'string' && PREMIER_STATES.includes(lead.state);
    return served ? accepted() : refused('state_not_served');
  }
  if (buyer === 'steady') {
    if (lead.last_name === SPECIAL_LAST_NAMES.refusedBySteady) return refused('already_a_customer');
    return accepted(lead.last_name === SPECIAL_LAST_NAMES.slowAtSteady ? SLOW_MS : 0);
  }
  return accepted();
}

/** What Steady bids for a lead of a state, in currency; it does not bid for other states. */
const STEADY_BIDS: Readonly<Record<string, number>> = { CA: 61.5, NY: 44, FL: 40, AZ: 35 };
/** Without a state. */
const STEADY_BIDS_BLINDLY = 30;

/** What Steady bids for a lead of a state, in currency; undefined: it does not want it. */
export const steadyBid = (state: unknown): number | undefined =>
  typeof state === 'string' ? getOwn(STEADY_BIDS, state) : STEADY_BIDS_BLINDLY;

/** What the buyer answers to a ping while it is up. */
export function answerPing(
  buyer: DemoBuyerName,
  ping: Record<string, unknown>,
): Record<string, unknown> {
  const { ping_id: id, state } = ping;
  if (buyer !== 'steady') return { accept: false, reason: 'does_not_bid' };
  const price = steadyBid(state);
  if (price === undefined) return { accept: false, reason: 'state_not_served' };
  return { accept: true, bid_price: price, bid_id: `steady-${String(id).slice(-8)}` };
}

/** What a buyer says to everything while it is down. */
export const DOWN: DemoAnswer = {
  result: 'unavailable',
  status: 503,
  delayMs: 0,
  body: { error: 'down_for_maintenance' },
};
