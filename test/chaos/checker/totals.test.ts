import { describe, it, expect } from '@jest/globals';
import { accountOf } from './account.js';
import { check } from './check.js';
import { happened, said } from './afterStories.js';
import { duplicate, held, replayed, sold, soldWhenSentAgain, unmatched } from './endings.js';
import { aRun } from './stories.js';
import { totalsLine } from './totals.js';

describe('the last line', () => {
  it('counts kills, acknowledged leads, and nothing else when nothing is wrong', () => {
    const run = aRun();
    const first = sold(run);
    replayed(run, first);
    duplicate(run, first);
    unmatched(run);
    held(run);
    soldWhenSentAgain(run);
    const evidence = run.finish();
    expect(totalsLine(12, evidence, check(evidence))).toBe(
      'kills 12, acknowledged 5, lost 0, doubled 0, over cap 0, money off 0, false answers 0, undecided 0, crashed 0, untested 0',
    );
  });

  it('counts a lead once under each total, and violations without a lead one by one', () => {
    const evidence = aRun().finish();
    const line = totalsLine(0, evidence, [
      { total: 'lost', rule: 'a', what: '', lead_id: 'l1', intent: 1 },
      { total: 'lost', rule: 'b', what: '', lead_id: 'l1' },
      { total: 'lost', rule: 'b', what: '', intent: 1 },
      { total: 'doubled', rule: 'c', what: '', lead_id: 'l1' },
      { total: 'over cap', rule: 'd', what: 'one' },
      { total: 'over cap', rule: 'd', what: 'two' },
    ]);
    expect(line).toBe(
      'kills 0, acknowledged 0, lost 2, doubled 1, over cap 2, money off 0, false answers 0, undecided 0, crashed 0, untested 0',
    );
  });
});

describe('the account of a violation', () => {
  it('shows everything about the lead in order of time, with the faults around it', () => {
    const run = aRun();
    sold(run);
    const { lead, asked } = sold(run);
    lead.price = 11;
    run.fault({ at: asked.at + 200, type: 'kill', targets: ['worker'], detail: 'worker-1' });
    run.fault({ at: asked.at - 9_000, ended: asked.at - 4_900, type: 'stop', targets: ['api'] });
    run.fault({ at: asked.at + 60_000, type: 'kill', targets: ['mongod'] });
    const evidence = run.finish();
    const [violation] = check(evidence);
    if (!violation) throw new Error('nothing was found');
    expect(accountOf(evidence, violation)).toEqual([
      'money off, price_off: lead lead2 is ACCEPTED by buyer holding, but its price is 11, and its sales are 10',
      'lead lead2 in Campaign 1 of supplier s1: ACCEPTED, buyer holding, price 11, cost 4, taken 1 times, created 12:00:02.010, decided 12:00:02.250',
      '11:59:53.000  fault    stop api until 11:59:57.100',
      '12:00:02.000  supplier operation 2 asks (intent 2, sending 1, key key-2)',
      '12:00:02.010  trail    lead2 received valid',
      '12:00:02.110  row      lead2:1 opened for buyer holding (last sending: may be sent until 12:00:03.110, answered by 12:00:08.610; sent 1 times)',
      '12:00:02.200  fault    kill worker (worker-1)',
      '12:00:02.210  journal  lead2 buyer holding request 2 decided accepted, key lead2:holding',
      '12:00:02.230  journal  lead2 buyer holding request 2 answered accepted, key lead2:holding',
      '12:00:02.260  row      lead2:1 is accepted by run run-1',
      '12:00:02.300  supplier operation 2 is told ok delivered 201 lead2',
    ]);
  });

  it('shows outcomes and events of the lead after its sale', () => {
    const run = aRun();
    const story = sold(run);
    const { line } = happened(run, story.lead, 'lead.accepted');
    Object.assign(line, { status: 503, flaw: 'the signature is false' });
    said(run, story, 'converted', 50);
    const evidence = run.finish();
    const [violation] = check(evidence);
    if (!violation) throw new Error('nothing was found');
    const told = accountOf(evidence, violation).filter((one) => /outcome|event|receiver/.test(one));
    expect(told.slice(1).map((one) => one.slice(14))).toEqual([
      'event    evt_lead1_1 lead.accepted',
      'receiver evt_lead1_1 answered 503, the signature is false',
      'outcome  request 1 says converted for 50, key key-1',
      'trail    lead1 outcome converted, buyer holding, {"seq":1}',
      'outcome  request 1 is told ok made 200',
    ]);
  });

  it('finds the leads of an intent when the violation names no lead', () => {
    const run = aRun();
    const { first, lead } = soldWhenSentAgain(run);
    const evidence = run.finish();
    const account = accountOf(evidence, {
      total: 'false answers',
      rule: 'some_rule',
      what: 'something',
      intent: first.asked.intent,
    });
    expect(account.filter((line) => line.startsWith('lead '))).toEqual([
      expect.stringContaining(`lead ${first.lead._id} in`),
      expect.stringContaining(`lead ${lead._id} in`),
    ]);
    expect(account.filter((line) => line.includes('operation'))).toHaveLength(4);
  });
});
