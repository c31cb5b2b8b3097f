/** A request that is never answered: the result of the lead, by its buyer's declaration and policy. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { answer } from '../support/peers.js';
import { say, YES, type Act } from '../support/rawBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { SILENCES } from './misbehavior.js';
import { startRawScene, type BadBuyer, type Posted, type RawScene } from './rawScene.js';

interface Policy {
  delivery: Partial<DeliveryInput>;
  /** The buyer that has the lead in the end; null while it is held. */
  owner: 'bad' | 'good' | null;
  /** Its final rows. */
  rows: string[];
  /** How often the lead is sent to the bad buyer after the unanswered request. */
  again: number;
}

const POLICIES: Record<string, Policy> = {
  'honours the key': {
    delivery: { honours_idempotency_key: true },
    owner: 'bad',
    rows: ['accepted'],
    again: 1,
  },
  hold: { delivery: { on_unknown: 'hold' }, owner: null, rows: ['unknown'], again: 0 },
  assume_accepted: {
    delivery: { on_unknown: 'assume_accepted' },
    owner: 'bad',
    rows: ['accepted'],
    again: 0,
  },
  fail_over: {
    delivery: { on_unknown: 'fail_over' },
    owner: 'good',
    rows: ['abandoned', 'accepted'],
    again: 0,
  },
};

interface Case extends BadBuyer {
  policy: Policy;
  reason: RegExp;
  /** Requests before the unanswered one. */
  before: number;
}

const DOWN: Act = say(answer('503 Service Unavailable'));
const FIRST = 'at once';
const WAITED = 'after it was waited for';

/** Each silence under each policy: of the first request, and (some) of a later one, sent by the drain. */
const CASES: Record<string, Case> = Object.fromEntries(
  Object.entries(POLICIES).flatMap(([said, policy]) =>
    Object.entries(SILENCES).flatMap(([name, { act, reason, delivery }], n): [string, Case][] => {
      const settings = { ...delivery, ...policy.delivery };
      const first = { acts: [act, YES], delivery: settings, policy, reason, before: 0 };
      const later = {
        acts: [DOWN, act, YES],
        delivery: settings,
        policy,
        reason,
        before: 1,
        // The good buyer must not get it in the meantime.
        link: { when_unavailable: 'WAIT' as const },
      };
      return [
        [`${name}, ${FIRST}: ${said}`, first],
        ...(n < 3 ? [[`${name}, ${WAITED}: ${said}`, later] as [string, Case]] : []),
      ];
    }),
  ),
);
/** Few enough that no case waits for the others. */
const AT_ONCE = 6;

describe('a buyer that', () => {
  let scene: RawScene;
  const posted = new Map<string, Posted>();

  beforeAll(async () => {
    scene = await startRawScene();
    // A worker's first tasks are slow.
    await scene.post({});
    // Cases with a second request come first, so that they wait together.
    const left = Object.entries(CASES).sort(([, a], [, b]) => b.before - a.before);
    const postSome = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [name, bad] = next;
        posted.set(name, await scene.post(bad));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, postSome));
  });
  afterAll(() => scene.stop());

  it.each(Object.entries(CASES))('%s', async (name, { policy, reason, before }) => {
    const one = posted.get(name);
    if (!one) throw new Error('It was not posted');
    const { owner, rows, again } = policy;
    const states = async () => (await one.rows()).map(({ state }) => state).join();
    const status = owner === null ? 'PENDING' : 'ACCEPTED';
    await waitFor(
      async () =>
        (await states()) === rows.join() &&
        (await one.lead()).status === status &&
        (await one.wrongCounts()).length === 0,
      { message: `the rows are ${rows.join()}, the lead is ${status}, and the counters agree` },
    );
    const buyer_id = owner === null ? null : one.account.buyers[owner];
    const lead = await one.lead();
    expect(lead).toMatchObject({ buyer_id, sales: owner === null ? [] : [{ buyer_id }] });
    // The answer given in the meantime is true: the named buyer has it, or the answer was `pending`.
    const { delivery } = one.answer.data ?? {};
    expect(one.answer.data?.buyer_id).toBe(delivery === 'delivered' ? buyer_id : null);

    const unanswered = lead.trail.filter(
      ({ step, result }) => step === 'delivery' && result === 'unknown',
    );
    expect(unanswered).toMatchObject([
      { buyer_id: one.account.buyers.bad, reason: expect.stringMatching(reason) },
    ]);
    const [row] = await one.rows();
    if (again === 0) expect(row?.reason).toBe(unanswered[0]?.reason);

    // By the buyers' own count: one lead under one key, and never at both buyers.
    const keys = one.sentTo('bad').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(before + 1 + again);
    expect(new Set(keys)).toEqual(new Set([`${lead._id}:${one.account.buyers.bad ?? ''}`]));
    expect(one.sentTo('good')).toHaveLength(owner === 'good' ? 1 : 0);
    expect(row?.tries).toBe(before + 1 + again);
  });
});
