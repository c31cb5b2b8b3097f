import { describe, it, expect } from '@jest/globals';
import type { Completed } from '../evidence/evidence.js';
import { check } from './check.js';
import {
  capped,
  duplicate,
  held,
  replayed,
  sold,
  soldWhenAskedAgain,
  soldWhenSentAgain,
  unmatched,
} from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('one key, one answer', () => {
  it.each([
    ['sold', sold],
    ['unmatched', unmatched],
    ['held', held],
    ['pending, and sold since', soldWhenAskedAgain],
  ])('is silent when the answer of a lead that is %s is given again', (_name, story) => {
    const run = aRun();
    replayed(run, story(run));
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when a lead was not accepted at first, and was accepted when it was sent again', () => {
    const run = aRun();
    soldWhenSentAgain(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when a full cap had capacity the second time', () => {
    const run = aRun();
    const { asked } = capped(run);
    const { intent, idempotency_key, phone, email } = asked;
    sold(run, 'holding', { intent, idempotency_key, phone, email, time: 2 });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('key_names_two_leads: reports when the second answer names another lead', () => {
    const run = aRun();
    const [first, other] = [unmatched(run), unmatched(run)];
    Object.assign(replayed(run, first), { lead_id: other.lead._id });
    expect(rulesOf(run.finish())).toEqual(['key_names_two_leads']);
  });

  it('answer_changed: reports when pending became delivered', () => {
    const run = aRun();
    const again = replayed(run, soldWhenAskedAgain(run));
    Object.assign(again, { answer: 'delivered', buyer_id: 'asked_again' });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('answer_changed');
    expect(violation?.total).toBe('false answers');
  });

  it('answer_changed: reports when a sold lead is refused the second time', () => {
    const run = aRun();
    const again = replayed(run, sold(run));
    Object.assign(again, { answer: 'capped', status: 403, lead_id: null, buyer_id: null });
    expect(rulesOf(run.finish())).toContain('answer_changed');
  });
});

describe('another body under a used key', () => {
  const alter = (answer: 'key_reused' | 'delivered' | 'not_taken') => {
    const run = aRun();
    const first = sold(run);
    const again = replayed(run, first);
    const asked = run.evidence.history.find(
      (event) => event.kind === 'invoked' && event.op === again.op,
    );
    Object.assign(asked ?? {}, { altered: true });
    Object.assign(again, { answer });
    if (answer === 'not_taken') Object.assign(again, { outcome: 'fail', status: 503 });
    if (answer !== 'delivered') Object.assign(again, { lead_id: null, buyer_id: null });
    return rulesOf(run.finish());
  };

  it('is silent when it was refused', () => {
    expect(alter('key_reused')).toEqual([]);
    expect(alter('not_taken')).toEqual([]);
  });

  it('altered_body_taken: reports when it was accepted', () => {
    expect(alter('delivered')).toEqual(['altered_body_taken']);
  });

  it('key_refused_wrongly: reports when no other body had come', () => {
    const run = aRun();
    const asked = run.asks();
    run.told(asked, { answer: 'key_reused', status: 422 });
    expect(rulesOf(run.finish())).toEqual(['key_refused_wrongly']);
    asked.idempotency_key = null;
    expect(rulesOf(run.finish())).toEqual(['key_refused_wrongly']);
  });
});

describe('duplicate_of_itself', () => {
  /** Sold, but its supplier received no answer; sent again without a key, it is called a duplicate of itself. */
  const sentAgain = (laterMs: number, broken: Partial<Completed> = {}, decidedMs = 250) => {
    const run = aRun();
    const { asked, answer, lead } = sold(run, 'holding', { idempotency_key: null });
    Object.assign(answer, { outcome: 'info', answer: null, status: null, error: 'ECONNRESET' });
    Object.assign(answer, { lead_id: null, buyer_id: null }, broken);
    lead.decided_at = new Date(asked.at + decidedMs);
    const { intent, idempotency_key, phone, email } = asked;
    const at = answer.at + laterMs;
    const again = run.asks({ intent, idempotency_key, phone, email, time: 2, at });
    const copy = run.lead(again, { status: 'DUPLICATE', duplicate_of: lead._id });
    const duplicate_of = lead._id;
    run.told(again, { answer: 'duplicate', status: 200, lead_id: copy._id, duplicate_of });
    return { run, copy, lead, asked };
  };
  const rules = (...how: Parameters<typeof sentAgain>) => rulesOf(sentAgain(...how).run.finish());

  it('reports when the connection of the first sending had broken', () => {
    const [violation, ...others] = check(sentAgain(700).run.finish());
    expect(others).toEqual([]);
    expect(violation).toEqual({
      total: 'false answers',
      rule: 'duplicate_of_itself',
      what: 'operation 2 was answered duplicate with lead lead2, a duplicate of lead1, which is its own first sending: that one was never answered',
      intent: 1,
      lead_id: 'lead1',
    });
  });

  it('is silent about a copy that came before the break can have been noticed', () => {
    expect(rules(499)).toEqual([]);
  });

  it('is silent when the supplier left while the answer was on its way, and not when it left before', () => {
    const error = 'closed by the supplier before the answer';
    expect(rules(700, { error })).toEqual([]);
    expect(rules(700, { error }, 400)).toEqual(['duplicate_of_itself']);
    const { run, lead } = sentAgain(700, { error }, 400);
    lead.pending_at = new Date(Number(lead.created_at) + 200);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when the supplier left while the first answer was on its way to a second sending', () => {
    const told = { answer: 'cannot_tell', status: 504 } as const;
    const secondly = (error: string, leftMs: number) => {
      const { run, asked, lead } = sentAgain(9_000, told);
      const { intent, idempotency_key, phone, email } = asked;
      const at = Number(lead.decided_at) + 6_000;
      const second = run.asks({ intent, idempotency_key, phone, email, time: 2, at });
      run.lead(second, { status: 'DUPLICATE', duplicate_of: lead._id, replay_of: lead._id });
      run.told(second, { outcome: 'info', error, at: at + leftMs });
      return rulesOf(run.finish());
    };
    expect(secondly('no answer in time; closed by the supplier', 1_000)).toEqual([]);
    expect(secondly('ECONNRESET', 1_000)).toEqual(['duplicate_of_itself']);
  });

  it.each(['api', 'mongod'])(
    'reports after a fault of %s only when the lead was decided long before',
    (target) => {
      const after = (ms: number) => {
        const { run, asked } = sentAgain(ms);
        run.fault({ type: 'kill', targets: [target], at: asked.at + 290 });
        return rulesOf(run.finish());
      };
      expect(after(700)).toEqual([]);
      expect(after(5_600)).toEqual(['duplicate_of_itself']);
    },
  );

  it('allows a lead with an unknown result its time limit, and no more', () => {
    const told = { answer: 'cannot_tell', status: 504 } as const;
    expect(rules(700, told)).toEqual([]);
    expect(rules(5_600, told)).toEqual(['duplicate_of_itself']);
  });

  it('is silent when its first answer is given again', () => {
    const { run, copy, lead } = sentAgain(700);
    copy.replay_of = lead._id;
    const again = run.evidence.history.at(-1);
    const first = { answer: 'delivered', lead_id: lead._id, buyer_id: 'holding' };
    Object.assign(again ?? {}, { ...first, status: 201, duplicate_of: null, replayed: true });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent about a duplicate of another lead of the same person', () => {
    const run = aRun();
    duplicate(run, sold(run, 'holding', { idempotency_key: null }));
    expect(rulesOf(run.finish())).toEqual([]);
  });
});
