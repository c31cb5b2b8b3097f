import { describe, it, expect } from '@jest/globals';
import { check } from './check.js';
import { expired, held, sold, unmatched } from './endings.js';
import { aCampaign, aRun, rulesOf, T0 } from './stories.js';

const DAY_MS = 86_400_000;

describe('lead_undecided', () => {
  it('is silent about a lead that is held', () => {
    const run = aRun();
    held(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports a lead that has no lease', () => {
    const run = aRun();
    run.lead(run.asks(), { status: 'NEW' });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('lead_undecided');
    expect(violation?.what).toBe('lead lead1 is NEW at the end, no run has it, no rows');
  });

  it('reports a held lead that still has a lease', () => {
    const run = aRun();
    held(run).lead.run = 'run-1';
    expect(rulesOf(run.finish())).toEqual(['lead_undecided']);
  });

  it('reports a lead that is parked', () => {
    const run = aRun();
    const { row } = held(run);
    row.state = 'parked';
    run.evidence.journal = [];
    expect(rulesOf(run.finish())).toEqual(['lead_undecided']);
  });

  it.each([
    ['is silent', 'is full', 10, []],
    ['speaks', 'has room', 20, ['lead_undecided']],
  ])('%s if the day that follows that of a parked lead %s', (_does, _why, daily_budget, rules) => {
    const campaign = aCampaign();
    campaign.buyers.forEach((link) => (link.caps = { daily_budget }));
    const run = aRun([campaign]);
    const { row } = held(run);
    row.state = 'parked';
    run.evidence.journal = [];
    const { row: later } = sold(run, 'holding', { at: T0 + DAY_MS });
    later.reserved = { day: '2026-11-22', week: 'W2026-11-16', month: '2026-11' };
    const evidence = run.finish();
    const [counter] = evidence.record.caps;
    if (counter) counter.day = { key: '2026-11-22', count: 1, amount: 10 };
    evidence.record.readAt += DAY_MS;
    row.expires_at = new Date(evidence.record.readAt + DAY_MS);
    expect(rulesOf(evidence)).toEqual(rules);
  });

  it('reports a hold that should have ended', () => {
    const run = aRun();
    const { row } = held(run);
    const { readAt } = run.finish().record;
    row.expires_at = new Date(readAt - 149_999);
    expect(rulesOf(run.finish())).toEqual([]);
    row.expires_at = new Date(readAt - 150_000);
    expect(rulesOf(run.finish())).toEqual(['lead_undecided']);
  });
});

describe('rows that no process handles', () => {
  it('row_still_sending: reports a row that is not settled', () => {
    const run = aRun();
    const { lead } = unmatched(run);
    run.row(lead, 'asked_again', { state: 'sending' });
    expect(rulesOf(run.finish())).toEqual(['row_still_sending']);
  });

  it('row_left_waiting: reports a row that waits though its lead is decided', () => {
    const run = aRun();
    const { lead } = sold(run);
    run.row(lead, 'asked_again', { state: 'parked' });
    expect(rulesOf(run.finish())).toEqual(['row_left_waiting']);
  });

  it('is silent about a row that has ended', () => {
    const run = aRun();
    expired(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('left_for_reconcile', () => {
  it('reports when reconcile repaired something although every process was healthy', () => {
    const run = aRun();
    run.evidence.record.reconciled = { lead: 0, destination: 2 };
    run.fault({ type: 'buyer', targets: ['holding'] });
    expect(check(run.finish()).map(({ what }) => what)).toEqual([
      'reconcile mended 2 of the kind "destination", though no process was killed or stopped',
    ]);
  });

  it.each(['kill', 'stop', 'restart', 'delete_temporal'])('is silent after a %s', (type) => {
    const run = aRun();
    run.evidence.record.reconciled = { destination: 2 };
    run.fault({ type });
    expect(rulesOf(run.finish())).toEqual([]);
  });
});
