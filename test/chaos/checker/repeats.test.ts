import { describe, it, expect } from '@jest/globals';
import { duplicate, sold, soldAgain } from './endings.js';
import { aCampaign, aRun, rulesOf, type StoryRun } from './stories.js';

const routing = (): StoryRun => aRun([aCampaign({ on_duplicate: 'ROUTE_TO_ORIGINAL' })]);

describe('repeats that go to the buyer of the original', () => {
  it('are right when that buyer has them', () => {
    const run = routing();
    const first = sold(run);
    soldAgain(run, first);
    soldAgain(run, first);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('are two winners where repeats are refused', () => {
    const run = aRun();
    soldAgain(run, sold(run));
    expect(rulesOf(run.finish())).toEqual(['two_winners']);
  });

  it('are two winners when neither says that it repeats the other', () => {
    const run = routing();
    const { asked } = sold(run);
    sold(run, 'holding', { phone: asked.phone });
    expect(rulesOf(run.finish())).toEqual(['two_winners']);
  });

  it('repeat_to_stranger: reports when another buyer was asked', () => {
    const run = routing();
    const first = sold(run, 'holding');
    const second = soldAgain(run, first);
    first.lead.buyer_id = first.answer.buyer_id = 'asked_again';
    expect(rulesOf(run.finish())).toContain('repeat_to_stranger');
    first.lead.buyer_id = first.answer.buyer_id = 'holding';
    run.request(run.row(second.lead, 'asked_again', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['repeat_to_stranger']);
  });

  it('repeat_refused: reports a duplicate, unless its answer is a replay', () => {
    const run = routing();
    const first = sold(run);
    const { lead } = duplicate(run, first);
    expect(rulesOf(run.finish())).toEqual(['repeat_refused']);
    lead.replay_of = first.lead._id;
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('answer_not_true: reports when the answer does not name the original', () => {
    const run = routing();
    soldAgain(run, sold(run)).answer.duplicate_of = null;
    expect(rulesOf(run.finish())).toEqual(['answer_not_true']);
  });

  it('intent_sold_twice: is silent about a sending without a key, and reports one with it', () => {
    const run = routing();
    const first = sold(run);
    const again = soldAgain(run, first);
    Object.assign(again.asked, { intent: first.asked.intent, time: 2 });
    expect(rulesOf(run.finish())).toEqual(['intent_sold_twice']);
    for (const { asked, lead } of [first, again]) {
      asked.idempotency_key = null;
      delete lead.idempotency_id;
    }
    expect(rulesOf(run.finish())).toEqual([]);
  });
});
