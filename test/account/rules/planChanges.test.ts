import { describe, expect, it } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import { planChanges } from '../../../src/account/rules/planChanges.js';
import { aBuyer, aField, aPlan, aSupplier, aWebhook } from '../../support/builders.js';

const changes = (before: Partial<Plan>, after: Partial<Plan>) =>
  planChanges(aPlan(before), aPlan({ ...before, ...after }));
const withBuyer = (change: Parameters<typeof aBuyer>[0]) =>
  changes(
    { buyers: [aBuyer({ name: 'Acme' })] },
    { buyers: [aBuyer({ name: 'Acme', ...change })] },
  );

describe('planChanges', () => {
  it('finds none between equal versions, whatever the order of their keys', () => {
    const dedupe = { window_days: 30, fields: ['phone'], match: 'ANY', on_duplicate: 'REJECT' };
    const turned = Object.fromEntries(Object.entries(dedupe).reverse()) as unknown;
    expect(
      changes({ dedupe: dedupe as Plan['dedupe'] }, { dedupe: turned as Plan['dedupe'] }),
    ).toEqual([]);
  });

  it('names the values of a campaign, limits in currency and null for none', () => {
    expect(
      changes(
        { max_sells: 1, caps: { daily_cap: 5 }, time_zone: 'UTC' },
        { max_sells: 2, caps: { total_budget: 12_500_000 }, time_zone: 'America/Denver' },
      ),
    ).toEqual([
      { path: 'time_zone', from: 'UTC', to: 'America/Denver' },
      { path: 'max_sells', from: 1, to: 2 },
      { path: 'daily_cap', from: 5, to: null },
      { path: 'total_budget', from: null, to: 12.5 },
    ]);
  });

  it('names the weekdays whose caps differ', () => {
    const [before, after] = [
      { sun: 0, mon: 40 },
      { sun: 0, mon: 50 },
    ];
    const caps = (daily_caps: CapLimits['daily_caps']) => ({ caps: { daily_caps } });
    expect(changes(caps(before), caps(after))).toEqual([
      { path: 'daily_caps.mon', from: 40, to: 50 },
    ]);
    expect(changes(caps(before), caps(null))).toEqual([
      { path: 'daily_caps', from: before, to: null },
    ]);
  });

  it('names the buyer, and shows its price in currency', () => {
    expect(withBuyer({ price: 30_250_000, states: ['CA'] })).toEqual([
      { path: 'buyers["Acme"].price', from: 25, to: 30.25 },
      { path: 'buyers["Acme"].states', from: [], to: ['CA'] },
    ]);
  });

  it('knows a buyer by its id: a new name is a change, and not another buyer', () => {
    expect(withBuyer({ name: 'Acme "2"' })).toEqual([
      { path: 'buyers["Acme \\"2\\""].name', from: 'Acme', to: 'Acme "2"' },
    ]);
  });

  it('shows an added link with its terms, and a removed one', () => {
    const supplier = aSupplier({ name: 'Search', cost_per_lead: 12_000_000 });
    const [added] = changes({ suppliers: {} }, { suppliers: { s1: supplier } });
    expect(added).toMatchObject({
      path: 'suppliers["Search"]',
      from: null,
      to: { name: 'Search', status: 'active', cost_mode: 'FIXED', cost_per_lead: 12 },
    });
    const [removed] = changes({ suppliers: { s1: supplier } }, { suppliers: {} });
    expect(removed).toEqual({ ...added, from: added?.to, to: null });
  });

  it('ignores a name that only the later of two versions has', () => {
    const named = aSupplier({ name: 'Search' });
    expect(changes({ suppliers: { s1: aSupplier() } }, { suppliers: { s1: named } })).toEqual([]);
  });

  it('compares filters as a whole', () => {
    const filters: Plan['filters'] = {
      all: [{ id: 'f1', field: 'state', operator: '==', value: 'CA' }],
    };
    expect(changes({ filters: null }, { filters })).toEqual([
      { path: 'filters', from: null, to: filters },
    ]);
  });

  it('names each rule of a field that differs', () => {
    expect(
      changes(
        { fields: [aField({ name: 'age', type: 'Number', min: 18 })] },
        { fields: [aField({ name: 'age', type: 'Number', min: 21, required: true })] },
      ),
    ).toEqual([
      { path: 'fields["age"].required', from: false, to: true },
      { path: 'fields["age"].min', from: 18, to: 21 },
    ]);
  });

  it('says that delivery settings and secrets differ, and never shows their values', () => {
    const told = withBuyer({
      delivery: aWebhook({
        url: 'https://u:hush@b.example/?t=hush',
        headers: { 'X-Key': 'hush' },
      }),
      signing_secret: { key_id: 'k2', iv: 'hush', tag: '', data: 'hush' },
    });
    expect(told.map(({ path }) => path)).toEqual([
      'buyers["Acme"].delivery.url',
      'buyers["Acme"].delivery.headers',
      'buyers["Acme"].signing_secret',
    ]);
    expect(JSON.stringify(told)).not.toMatch(/hush|example|"iv"/);
    const [added] = changes({ buyers: [] }, { buyers: [aBuyer({ delivery: aWebhook() })] });
    expect(JSON.stringify(added)).not.toMatch(/example|"iv"|key_id/);
  });

  it('truncates very long lists', () => {
    const zips = Array.from({ length: 100_000 }, (_, n) => String(n).padStart(5, '0'));
    const [change] = withBuyer({ zips });
    expect(change).toMatchObject({ path: 'buyers["Acme"].zips', from: null });
    expect(change?.to).toEqual([...zips.slice(0, 20), '… 99980 more']);
  });

  it('shows all settings of the first version, without the system fields', () => {
    const told = planChanges(null, aPlan({ name: 'Auto', buyers: [], suppliers: {} }));
    expect(told).toContainEqual({ path: 'name', from: null, to: 'Auto' });
    expect(told.filter(({ path }) => path.startsWith('fields'))).toEqual([]);
  });
});
