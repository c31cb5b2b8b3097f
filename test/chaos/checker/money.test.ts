import { describe, it, expect } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { check } from './check.js';
import { sold, unmatched } from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('money', () => {
  it.each<[string, (lead: Lead) => void]>([
    ['price_off', (lead) => (lead.price = lead.profit = 11)],
    ['cost_off', (lead) => Object.assign(lead, { cost: 3, profit: 7 })],
    ['profit_off', (lead) => (lead.profit = 5)],
    ['sales_off', (lead) => (lead.sales = [])],
    ['price_off', (lead) => lead.sales.forEach((sale) => (sale.price = 9))],
    ['cost_off', (lead) => lead.sales.forEach((sale) => (sale.cost = 9))],
    ['sales_off', (lead) => lead.sales.forEach((sale) => (sale.attempt = 7))],
  ])('%s: reports when a sale was changed by %s', (rule, change) => {
    const run = aRun();
    const { lead } = sold(run);
    expect(rulesOf(run.finish())).toEqual([]);
    change(lead);
    const violations = check(run.finish());
    expect(violations.map((one) => one.rule)).toContain(rule);
    expect(violations.every(({ total }) => total === 'money off')).toBe(true);
  });

  it('money_without_sale: reports a lead that is not sold and has a price', () => {
    const run = aRun();
    const { lead } = unmatched(run);
    expect(rulesOf(run.finish())).toEqual([]);
    lead.cost = 4;
    expect(rulesOf(run.finish())).toEqual(['money_without_sale']);
  });
});
