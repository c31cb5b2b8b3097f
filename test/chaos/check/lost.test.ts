import { describe, it, expect } from 'vitest';
import {
  assumed,
  expired,
  held,
  passedOn,
  sold,
  soldToSecond,
  soldWhenAskedAgain,
} from './endings.js';
import { check } from './check.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

describe('acknowledged_lead_missing', () => {
  it('speaks when an answer names a lead that the record does not have', () => {
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

  it('does not speak of a lead whose answer never came', () => {
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

  it('speaks when a buyer has taken a lead that is unmatched', () => {
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

  it('speaks when a hold ended before its time', () => {
    const run = aRun();
    const { row } = expired(run);
    row.settled_at = new Date(row.expires_at.getTime() - 1);
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  it('speaks when a lead is parked for a buyer that has it and does not honour keys', () => {
    const run = aRun();
    held(run).row.state = 'parked';
    expect(rulesOf(run.finish())).toContain('accept_without_sale');
  });

  it('speaks when a lead is abandoned at a buyer whose policy is to hold', () => {
    const run = aRun();
    const { lead, row } = held(run);
    Object.assign(lead, { status: 'EXPIRED' });
    row.state = 'abandoned';
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  it('leaves a lead that is still being sold to the rules about deadlines', () => {
    const run = aRun();
    held(run).row.state = 'accepted';
    expect(rulesOf(run.finish())).toEqual(['lead_undecided']);
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

  it('is silent when a request that is assumed to be a yes never arrived', () => {
    const run = aRun();
    assumed(run);
    run.evidence.journal = [];
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('speaks when the buyer refused', () => {
    const run = aRun();
    sold(run);
    run.evidence.journal.forEach((line) => (line.decision = 'rejected'));
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });

  it('speaks when the buyer was never asked', () => {
    const run = aRun();
    sold(run);
    run.evidence.journal = [];
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });

  it('speaks when an answered no is assumed to be a yes', () => {
    const run = aRun();
    assumed(run);
    run.evidence.record.deliveries.forEach((row) => (row.http_status = 422));
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });
});
