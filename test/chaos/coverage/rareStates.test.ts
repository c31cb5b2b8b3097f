import { describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { aRun, T0, type StoryRun } from '../checker/stories.js';
import { RARE_STATES, rareStates } from './rareStates.js';

/** The states that were seen, with their counts. */
const seen = (run: StoryRun): Record<string, number> =>
  Object.fromEntries(
    rareStates(run.finish())
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => [state, count]),
  );

const at = (seconds: number): Date => new Date(T0 + seconds * 1_000);
const entry = (step: TrailEntry['step'], result: string, more: Partial<TrailEntry> = {}) => ({
  at: at(10),
  step,
  result,
  ...more,
});
const aLeadWith = (run: StoryRun, overrides: Partial<Lead>): Lead =>
  run.lead(run.asks(), { status: 'ACCEPTED', buyer_id: 'holding', ...overrides });
const waiting = (buyer_id: string, when = at(10)) =>
  entry('closing', 'waiting', { buyer_id, at: when });

describe('rare states', () => {
  it('lists every state, also those that were never reached', () => {
    const listed = rareStates(aRun().finish());
    expect(listed.map(({ state }) => state)).toEqual(Object.keys(RARE_STATES));
    expect(listed.every(({ count }) => count === 0)).toBe(true);
  });

  it('sees a lead withdrawn under a 503, and sold with the key it took over', () => {
    const run = aRun();
    const first = run.asks({ intent: 7, idempotency_key: 'k' });
    run.told(first, { outcome: 'fail', answer: 'not_taken', status: 503 });
    run.lead(first, { status: 'WITHDRAWN', takes: 0, idempotency_id: 'k' });
    const again = run.asks({ intent: 7, time: 2, idempotency_key: 'k' });
    const lead = run.lead(again, { status: 'ACCEPTED', buyer_id: 'holding', idempotency_id: 'k' });
    run.told(again, { answer: 'delivered', lead_id: lead._id });
    expect(seen(run)).toEqual({
      'told 503, and withdrawn': 1,
      'told 503, and sold when it was sent again': 1,
      'a key taken over from a lead that was withdrawn': 1,
      'sent again after a broken connection': 1,
    });
  });

  it('sees leads with several leases, and how far the first one got', () => {
    const run = aRun();
    const late = aLeadWith(run, { takes: 2 });
    run.row(late, 'holding', { created_at: new Date(Number(late.created_at) + 3_400) });
    aLeadWith(run, {
      takes: 3,
      trail: [entry('delivery', 'resumed'), entry('closing', 'ACCEPTED')],
    });
    expect(seen(run)).toEqual({
      'taken by a second run': 2,
      'taken by a third run (rerun after rerun)': 1,
      'resumed from its delivery rows': 1,
      'begun anew: its run died before it asked anybody': 1,
      'a sale found in the rows by a later run': 1,
    });
  });

  it('sees answers that were not received or recorded', () => {
    const run = aRun();
    const reason = 'no_answer_recorded';
    const lead = aLeadWith(run, {
      trail: [entry('delivery', 'unknown', { buyer_id: 'asked_again', reason })],
    });
    const row = run.row(lead, 'asked_again', { state: 'accepted', http_status: 200, tries: 3 });
    run.request(row, 'accepted');
    run.request(row, 'accepted', 'cut');
    run.request(row, 'replayed');
    expect(seen(run)).toEqual({
      'its run died between the send and the record of it': 1,
      'answer lost after a yes': 1,
      'a yes written out to a process that was killed': 1,
      'asked again under the same key, and answered the same': 1,
      'sent more than twice': 1,
    });
  });

  it('sees the results of requests without an answer', () => {
    const run = aRun();
    const lead = aLeadWith(run, {});
    run.row(lead, 'holding', { state: 'unknown' });
    run.row(lead, 'assuming', { state: 'accepted' });
    run.row(lead, 'failing_over', { state: 'abandoned' });
    expect(seen(run)).toEqual({
      'held for an answer that never came': 1,
      'counted as sold without an answer': 1,
      'passed on without an answer': 1,
    });
  });

  it('sees parked leads and their buyers, also across the loss of the store', () => {
    const run = aRun();
    run.fault({ type: 'delete_temporal', targets: ['temporal'], at: T0 + 20_000 });
    aLeadWith(run, { trail: [waiting('holding')], decided_at: at(30) });
    aLeadWith(run, { trail: [waiting('asked_again')], decided_at: at(15) });
    expect(seen(run)).toEqual({
      parked: 2,
      'parked, then sold to the same buyer': 1,
      'parked, then sold to another buyer': 1,
      "Temporal's store lost while the lead was parked": 1,
    });
  });

  it('sees two concurrent leases on a cap, and which cap was full', () => {
    const run = aRun();
    const [link] = run.evidence.campaigns[0]?.buyers ?? [];
    if (link) link.caps = { total_cap: 5 };
    const buyer_id = 'asked_again';
    for (const name of ['one', 'two']) {
      const lead = aLeadWith(run, {
        created_at: at(5),
        trail: [entry('caps', 'full', { reason: 'buyer_cap' })],
      });
      run.row(lead, buyer_id, { run: name, state: 'rejected' });
    }
    expect(seen(run)).toEqual({ "refused by a buyer's cap": 2, 'two runs at once on one cap': 1 });
  });

  it('sees a request that was cut by the kill of the process that waited for it', () => {
    const run = aRun();
    const row = run.row(aLeadWith(run, {}), 'holding', { state: 'rejected' });
    run.request(row, 'hung', 'cut');
    const cut = run.evidence.journal.at(-1)?.at ?? 0;
    run.fault({ type: 'kill', targets: ['worker'], at: cut - 100 });
    run.fault({ type: 'kill', targets: ['delivery'], at: cut + 100 });
    expect(seen(run)).toEqual({ 'worker or intake killed while it waited for a buyer': 1 });
  });

  it('sees what the kill of an answering process cut off: a decided lead, and one that was not started', () => {
    const run = aRun();
    const cut = (lead: Partial<Lead>) => {
      const asked = run.asks();
      run.told(asked, { outcome: 'info', status: null });
      return run.lead(asked, lead);
    };
    const decided = cut({ status: 'ACCEPTED', buyer_id: 'holding' });
    const left = cut({ status: 'WITHDRAWN', takes: 0 });
    // Undecided when its process died.
    cut({ status: 'UNMATCHED', decided_at: at(60) });
    for (const { created_at } of [decided, left, ...run.evidence.record.leads.slice(2)]) {
      run.fault({ targets: ['intake'], at: Number(created_at) + 260 });
    }
    expect(seen(run)).toEqual({
      'told 503, and withdrawn': 1,
      'api or intake killed between the decision and the answer': 1,
      'api or intake killed before it had the lead started': 1,
    });
  });
});
