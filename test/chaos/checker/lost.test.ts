import { describe, it, expect } from '@jest/globals';
import {
  assumed,
  expired,
  held,
  passedOn,
  sold,
  soldToSecond,
  soldWhenAskedAgain,
} from './endings.js';
import type { Fault } from '../evidence/evidence.js';
import { check } from './check.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

describe('acknowledged_lead_missing', () => {
  it('reports when an answer names a lead that the record does not have', () => {
    const run = aRun();
    const { asked, lead } = sold(run);
    run.evidence.record.leads = [];
    run.evidence.record.deliveries = [];
    run.evidence.journal = [];
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation).toEqual({
      total: 'lost',
      rule: 'acknowledged_lead_missing',
      what: `operation ${asked.op} was answered delivered with lead ${lead._id}, which the record does not have`,
      lead_id: lead._id,
      intent: asked.intent,
    });
  });

  it('does not report a lead whose answer never came', () => {
    const run = aRun();
    const asked = run.asks();
    run.told(asked, { outcome: 'info', status: null, error: 'ECONNRESET' });
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('accept_without_sale', () => {
  it.each([
    ['sold to that buyer', sold],
    ['asked again under the same key, and sold', soldWhenAskedAgain],
    ['held, as its buyer wants it', held],
    ['held to the end of its time', expired],
    ['passed on, as its buyer wants it', passedOn],
  ])('is silent about a lead that is %s', (_name, story) => {
    const run = aRun();
    story(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when a buyer has accepted a lead that is unmatched', () => {
    const run = aRun();
    const { lead, row, answer } = sold(run);
    Object.assign(lead, { status: 'UNMATCHED', buyer_id: null, sales: [], price: 0, cost: 0 });
    Object.assign(lead, { profit: 0 });
    Object.assign(row, { state: 'rejected' });
    Object.assign(answer, { answer: 'unmatched', status: 200 });
    const [violation] = check(run.finish());
    expect(violation?.rule).toBe('accept_without_sale');
    expect(violation?.total).toBe('lost');
    expect(violation?.what).toContain(`row ${row._id} is rejected`);
  });

  it('reports when a hold ended before its time', () => {
    const run = aRun();
    const { row } = expired(run);
    row.settled_at = new Date(row.expires_at.getTime() - 1);
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  it('reports when a lead is parked for a buyer that has it and does not honor keys', () => {
    const run = aRun();
    held(run).row.state = 'parked';
    expect(rulesOf(run.finish())).toContain('accept_without_sale');
  });

  it('reports when a lead is abandoned at a buyer whose policy is to hold', () => {
    const run = aRun();
    const { lead, row } = held(run);
    Object.assign(lead, { status: 'EXPIRED' });
    row.state = 'abandoned';
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  it('leaves a lead that is still being sent to the rules about deadlines', () => {
    const run = aRun();
    held(run).row.state = 'sending';
    expect(rulesOf(run.finish())).toEqual(['lead_undecided', 'row_still_sending']);
  });

  it('reports when the row says that the buyer has the lead, and the lead does not', () => {
    const run = aRun();
    const { lead, row } = held(run);
    row.state = 'accepted';
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale', 'lead_undecided']);
    // A held row at another buyer keeps the lead undecided, but does not excuse the missing sale.
    for (const one of [row, ...run.evidence.journal]) one.buyer_id = 'asked_again';
    run.row(lead, 'holding', { state: 'unknown' });
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  describe('when the acceptance was received', () => {
    /** An acceptance that was written out at once, without any fault meanwhile. */
    const heard = (story: typeof held) => {
      const run = aRun();
      const told = story(run);
      for (const line of run.evidence.journal) if (line.step === 'cut') line.step = 'answered';
      return { run, ...told };
    };

    it.each([
      ['held', held],
      ['held to the end of its time', expired],
    ])('reports a lead that is %s', (_name, story) => {
      expect(rulesOf(heard(story).run.finish())).toEqual(['accept_without_sale']);
    });

    it('reports one that was passed on, and its second sale', () => {
      expect(rulesOf(heard(passedOn).run.finish())).toEqual([
        'accept_without_sale',
        'taken_by_too_many',
      ]);
    });

    it('reports when the acceptance was received only when it was repeated', () => {
      const run = aRun();
      const { lead, row } = expired(run);
      Object.assign(row, { buyer_id: 'asked_again' });
      run.evidence.journal.forEach((line) => (line.buyer_id = 'asked_again'));
      expect(rulesOf(run.finish())).toEqual([]);
      run.request(run.row(lead, 'asked_again', { ...row, n: 1 }), 'replayed', 'answered', 5_000);
      run.evidence.record.deliveries.pop();
      for (const line of run.evidence.journal) line.idempotency_key = 'k';
      expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
    });

    it.each<[string, Partial<Fault>]>([
      ["the buyer's network was broken", { type: 'network', targets: ['holding'] }],
      ['the buyer went down', { type: 'buyer', targets: ['holding'], detail: 'reset' }],
      ['the machine had no time', { type: 'lag', targets: ['harness'] }],
      ['a worker stood still', { type: 'stop', targets: ['worker'] }],
      ['a worker was killed', { type: 'kill', targets: ['worker'], ended: undefined }],
      ['the database was killed', { type: 'kill', targets: ['mongod'], ended: undefined }],
    ])('is silent when %s at that time, and not when it was at another', (_name, fault) => {
      const at = (ms: number) => {
        const { run, row } = heard(held);
        const from = row.created_at.getTime() + ms;
        run.fault({ at: from, ended: from + 50, ...fault });
        return rulesOf(run.finish());
      };
      expect(at(150)).toEqual([]);
      expect(at(30_000)).toEqual(['accept_without_sale']);
      expect(at(-30_000)).toEqual(['accept_without_sale']);
    });

    it.each<[string, Partial<Fault>]>([
      ["another buyer's network was broken", { type: 'network', targets: ['assuming'] }],
      ['another process was killed', { type: 'kill', targets: ['api'] }],
      ['the buyer was busy', { type: 'buyer', targets: ['holding'], detail: 'busy' }],
    ])('reports even if %s', (_name, fault) => {
      const { run, row } = heard(held);
      const at = row.created_at.getTime();
      run.fault({ at, ended: at + 500, ...fault });
      expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
    });

    it('is silent when the machine had no time while the request was on its way, however long that was', () => {
      const at = (askedMs: number) => {
        const { run, row, lead } = heard(held);
        const received = run.evidence.journal[0]?.at ?? 0;
        const asked_at = new Date(received + askedMs).toISOString();
        const entry = { at: row.created_at, step: 'delivery', result: 'unknown' } as const;
        lead.trail.push({ ...entry, buyer_id: row.buyer_id, detail: { asked_at } });
        run.fault({
          at: received - 2_200,
          ended: received - 1_200,
          type: 'lag',
          targets: ['harness'],
        });
        return rulesOf(run.finish());
      };
      expect(at(-2_500)).toEqual([]);
      expect(at(-1_000)).toEqual(['accept_without_sale']);
    });

    it('is silent when it came late', () => {
      const { run } = heard(held);
      for (const line of run.evidence.journal) if (line.step === 'answered') line.at += 2_500;
      expect(rulesOf(run.finish())).toEqual([]);
    });
  });
});

describe('accepted_row_without_sale', () => {
  it('is silent when no answer was assumed to be an acceptance, and sold', () => {
    const run = aRun();
    assumed(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when it was not sold', () => {
    const run = aRun();
    const { lead, answer } = assumed(run);
    Object.assign(lead, { status: 'UNMATCHED', buyer_id: null, sales: [], price: 0, cost: 0 });
    Object.assign(lead, { profit: 0 });
    Object.assign(answer, { answer: 'unmatched', status: 200, buyer_id: null });
    expect(rulesOf(run.finish())).toEqual(['accepted_row_without_sale']);
  });
});

describe('sale_without_accept', () => {
  it.each<[string, (run: StoryRun) => unknown]>([
    ['sold to the second buyer', (run) => soldToSecond(run, 'holding', 'assuming')],
    ['assumed to be sold', assumed],
  ])('is silent about a lead that is %s', (_name, story) => {
    const run = aRun();
    story(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when a request that is assumed to be accepted never arrived', () => {
    const run = aRun();
    assumed(run);
    run.evidence.journal = [];
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when the buyer refused', () => {
    const run = aRun();
    sold(run);
    run.evidence.journal.forEach((line) => (line.decision = 'rejected'));
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });

  it('reports when the buyer was never asked', () => {
    const run = aRun();
    sold(run);
    run.evidence.journal = [];
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });

  it('reports when an answered refusal is assumed to be an acceptance', () => {
    const run = aRun();
    assumed(run);
    run.evidence.record.deliveries.forEach((row) => (row.http_status = 422));
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });
});
