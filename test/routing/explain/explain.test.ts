/** Explanations: every code of a trail has a sentence, and every buyer a verdict. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { applyLocks } from '../../../src/leads/rules/locks.js';
import { decide } from '../rules/decide.js';
import { explainLead, type Subject } from '../../../src/routing/explain/explain.js';
import { LEFT_OUT_REASONS } from '../../../src/routing/explain/explainLeftOut.js';
import {
  CLOSING_CLAUSES,
  SAID_CODES,
  STATE_CLAUSES,
} from '../../../src/routing/explain/explainReasons.js';
import { SUSPECT_REASONS } from '../../../src/leads/rules/origin.js';
import { stepText } from '../../../src/routing/explain/explainSteps.js';
import { receivedEntry, type TrailEntry } from '../../../src/leads/rules/trail.js';
import { aLead } from '../../support/storedRows.js';
import { entry, PLAN, subject } from './explained.js';
import { NOW, pinged, situations } from '../rules/situations.js';

const textOf = (one: TrailEntry, of: Subject = subject({})): string => stepText(one, of).text;

describe('each step', () => {
  const buyer_id = 'b1';
  const full = { limit: 'daily_cap', allowed: 100, counted: 100, asks: 1 };
  const budget = { limit: 'total_budget', allowed: 900e6, counted: 890_500_000, asks: 25e6 };
  it.each([
    [receivedEntry(7, NOW), 'Its fields were valid; version 7 of the campaign decides it.'],
    [
      entry('routing', 'skipped', {
        buyer_id,
        reason: 'state_not_served',
        detail: { state: 'CA', served: ['TX', 'NV'] },
      }),
      'Acme was passed over: the lead is from CA, and it accepts only leads of TX or NV.',
    ],
    [
      entry('routing', 'skipped', {
        buyer_id,
        reason: 'breaker_open',
        detail: { until: new Date('2026-11-21T18:05:00Z') },
      }),
      'Acme was passed over: it was in a cooldown after failed deliveries, until 2026-11-21 12:05:00 (America/Chicago).',
    ],
    [
      entry('caps', 'full', { buyer_id, reason: 'buyer_cap', detail: full }),
      'Acme had a full cap: its daily cap is 100, and 100 were counted.',
    ],
    [
      entry('caps', 'full', { reason: 'campaign_cap', detail: budget }),
      'The campaign had a full cap: its total budget is 900.00 USD, 890.50 USD were counted, and this lead asks for 25.00 USD.',
    ],
    [
      entry('duplicates', 'duplicate', { detail: { of: 'lead-1' } }),
      'It repeats lead lead-1, which has the same phone or email, and the campaign refuses repeats.',
    ],
    [
      entry('delivery', 'rejected', {
        buyer_id,
        reason: 'too old',
        detail: { latency_ms: 12.4 },
      }),
      'Acme refused it after 12 ms: “too old”.',
    ],
    [
      entry('delivery', 'rejected', { buyer_id, reason: 'not_accepted_by_rule' }),
      "Acme refused it: its answer does not meet the buyer's acceptance rule.",
    ],
    [
      entry('delivery', 'held', { buyer_id, detail: { by: 'Ann', note: 'ask first' } }),
      'An operator (Ann) held it back from Acme: “ask first”.',
    ],
    [
      entry('closing', 'waiting', { buyer_id, reason: 'closed' }),
      'It waits for Acme: the buyer was closed.',
    ],
    [
      entry('closing', 'EXPIRED', { buyer_id, reason: 'max_age' }),
      'It expired unsold: its time limit for the buyer passed (it waited for Acme).',
    ],
    [
      entry('routing', 'ranked', { detail: { method: 'WATERFALL', order: ['b2', 'b1'] } }),
      '2 of 2 buyers were eligible; by priority: Bolt and Acme.',
    ],
    [
      entry('outcome', 'converted', {
        buyer_id,
        detail: { by: { kind: 'buyer' }, revenue: { from: 25e6, to: 70e6 } },
      }),
      'Acme reported: it became a customer; the sale brings 70.00 USD now.',
    ],
    [
      entry('outcome', 'not_qualified', {
        buyer_id,
        detail: { by: { kind: 'user', name: 'CRM' }, revenue: { from: 1, to: 1 } },
      }),
      'An operator (CRM) reported for Acme: it does not qualify.',
    ],
    [entry('outcome', 'pending', { buyer_id }), 'Acme reported: not decided yet.'],
    [entry('outcome', 'updated', { buyer_id }), 'Acme reported: details were recorded.'],
    [
      entry('outcome', 'expired', { buyer_id, detail: { by: { kind: 'system' } } }),
      'The time limit for an outcome passed, and Acme had reported none.',
    ],
    [
      entry('outcome', 'returned', {
        buyer_id,
        reason: 'duplicate',
        detail: { revenue: { from: 25e6, to: 0 } },
      }),
      'Acme returned it (duplicate); the sale brings 0.00 USD now.',
    ],
    [
      entry('filters', 'passed', { detail: { plan_version: 4 } }),
      'The campaign has no filters, now by version 4 of the campaign.',
    ],
    [
      entry('delivery', 'resumed', { buyer_id, reason: 'rejected', detail: { barred: true } }),
      'It was resumed at Acme: the buyer had refused it. A suppression list of the organization or the campaign has the person: no buyer may have it.',
    ],
  ])('%j', (one, text) => {
    expect(textOf(one)).toBe(text);
  });

  it('names the rules that failed, what they require and what the lead has', () => {
    const filters = {
      all: [
        { id: 'tx', field: 'state', operator: 'IN' as const, value: ['TX'] },
        { any: [{ id: 'age', field: 'age', operator: '>=' as const, value: 18 }] },
      ],
    };
    const failures = [
      { filter_id: 'tx', field: 'state', operator: 'IN', actual: 'CA' },
      { filter_id: 'age', field: 'age', operator: '>=' },
    ];
    const failed = entry('filters', 'failed', { detail: { failures } });
    expect(textOf(failed, subject({}, { ...PLAN, filters }))).toBe(
      'The filters of the campaign refuse it: state must be one of: TX (it is CA) and age must be at least 18 (the lead has none).',
    );
  });

  it('of a sale shows revenue and cost', () => {
    const sale = { buyer_id: 'b1', attempt: 1, price: 25_500_000, cost: 12e6, at: NOW };
    expect(textOf(entry('closing', 'ACCEPTED', { buyer_id }), subject({ sales: [sale] }))).toBe(
      'It was sold to Acme for 25.50 USD; the supplier gets 12.00 USD for it.',
    );
  });

  it('of an unknown code is shown unchanged', () => {
    const strange = entry('routing', 'skipped', { buyer_id, reason: 'bad_weather' });
    expect(stepText(strange, subject({}))).toEqual({
      text: 'routing: skipped (bad_weather).',
      known: false,
    });
  });
});

describe('every code', () => {
  const all = new Map<string, TrailEntry>();
  const put = (step: TrailEntry['step'], result: string, reason: string) =>
    all.set(`${step} ${result} ${reason}`, entry(step, result, { buyer_id: 'b1', reason }));
  LEFT_OUT_REASONS.forEach((reason) => put('routing', 'skipped', reason));
  Object.keys(CLOSING_CLAUSES).forEach((reason) => put('closing', 'UNMATCHED', reason));
  Object.keys(STATE_CLAUSES).forEach((reason) => put('delivery', 'resumed', reason));
  SUSPECT_REASONS.forEach((reason) => put('origin', 'suspected', reason));
  SAID_CODES.forEach((reason) => put('delivery', 'rejected', reason));
  ['buyer_cap', 'supplier_cap', 'campaign_cap'].forEach((reason) => put('caps', 'full', reason));

  it('has a sentence of its own', () => {
    const texts = [...all.values()].map((one) => stepText(one, subject({})));
    expect(texts.filter(({ known }) => !known)).toEqual([]);
    // Two codes mean that a buyer was not reached.
    const twice = texts.map(({ text }) => text).filter((text, n, list) => list.indexOf(text) !== n);
    expect(twice).toEqual(['Acme refused it: the buyer had not been reached.']);
  });

  it('that can be on a trail is known', () => {
    const known = new Set([
      ...[...all.values()].map(({ reason }) => reason),
      'original_undecided',
      'all_resting',
      'overtaken',
      // Why a drain does not send a row or an event now, never on a trail.
      'held',
      'open_elsewhere',
      'event_ahead',
      // Codes of a trial decision, never on a trail.
      'not_reached',
      'outranked',
      'behind',
      // Why people are told of a queue, in events of alerts.
      'breaker',
      'cleared',
    ]);
    const written = [
      'src/fields',
      'src/account/rules',
      'src/leads/rules',
      'src/deliveries/rules',
      'src/deliveries/channels',
      'src/routing/rules',
      'src/routing/replay',
      'src/distribution',
      'src/outcomes',
      'src/automations',
      'activities',
    ]
      .flatMap(sources)
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/\breason(?::| =|\s*\?\?) '([a-z]+(?:_[a-z]+)*)'/g),
      ]);
    const codes = written.map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });
});

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

const any = fc.oneof(situations, pinged);

describe('any decision', () => {
  it('is explained to its last step, and every buyer has a verdict', () => {
    fc.assert(
      fc.property(any, ({ lead, plan: bare, around }) => {
        const plan = applyLocks(bare, lead);
        const made = decide(lead, bare, around);
        const sales = made.offers.map(({ buyer_id, price, cost }, n) => ({
          buyer_id,
          price,
          cost,
          attempt: n + 1,
          at: NOW,
        }));
        const of: Subject = {
          lead: aLead({ ...lead, status: made.status, trail: made.trail, sales }),
          plan,
          currency: 'USD',
        };
        for (const one of made.trail) expect(stepText(one, of)).toMatchObject({ known: true });
        const { summary, steps, buyers } = explainLead(of);
        expect(summary).toMatch(/^[A-Z].*\.$/);
        expect(steps.map(({ entry: stored }) => stored)).toEqual(made.trail);
        expect(buyers.map(({ buyer_id }) => buyer_id).sort()).toEqual(
          plan.buyers.map(({ buyer_id }) => buyer_id).sort(),
        );
        expect(buyers.filter(({ verdict }) => verdict === 'sold')).toHaveLength(sales.length);
        for (const { text, name } of buyers) expect(text).toContain(name);
      }),
    );
  });

  it('gives the same reasons for passed-over buyers as the decision', () => {
    fc.assert(
      fc.property(any, ({ lead, plan: bare, around }) => {
        const plan = applyLocks(bare, lead);
        const made = decide(lead, bare, around);
        const of: Subject = {
          lead: aLead({ ...lead, status: made.status, trail: made.trail }),
          plan,
          currency: 'USD',
        };
        for (const { buyer_id, reason } of made.passed_over) {
          if (!LEFT_OUT_REASONS.some((known) => known === reason)) continue;
          const name = plan.buyers.find((one) => one.buyer_id === buyer_id)?.name ?? '';
          const [buyer] = explainLead(of, { buyer_id, name }).buyers;
          if (reason === 'not_original' || buyer_id === made.waits_for) continue;
          expect([buyer?.verdict, buyer?.reason]).toEqual(['passed_over', reason]);
        }
      }),
    );
  });
});
