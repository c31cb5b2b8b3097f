import { describe, expect, it } from '@jest/globals';
import { BUYER_LINK } from '../../../src/account/settings/buyerLinkTerms.js';
import { BUYER } from '../../../src/account/settings/buyerSettings.js';
import { CAMPAIGN } from '../../../src/account/settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../../../src/account/settings/supplierLinkTerms.js';
import { SUPPLIER } from '../../../src/account/settings/supplierSettings.js';
import { buyerTerms, settingsTables, type Term } from '../../../src/web/build/terms.js';

it('pages know the terms that buyers see, and how those are written that they ask for', () => {
  const terms = buyerTerms();
  expect(terms.find(({ name }) => name === 'conversion_price')).toMatchObject({
    label: 'Price of a conversion',
    unit: 'money',
    kind: 'number',
    isOptional: true,
    isAsked: false,
  });
  const asked = terms.filter(({ isAsked }) => isAsked);
  expect(asked.map(({ name, kind, isOptional }) => [name, kind, isOptional])).toEqual([
    ['price', 'number', false],
    ['states', 'list', false],
    ['filters', 'json', true],
    ['caps', 'json', false],
  ]);
});

describe('the tables of settings in pages', () => {
  const tables = settingsTables();
  const named = (terms: Term[], name: string) => terms.find((one) => one.name === name);

  it('have every setting that an action takes', () => {
    const names = (terms: Term[]) => terms.map(({ name }) => name).toSorted();
    expect(names(tables.campaign)).toEqual(Object.keys(CAMPAIGN.changed).toSorted());
    expect(names(tables.buyerLink)).toEqual(Object.keys(BUYER_LINK.changed).toSorted());
    expect(names(tables.supplierLink)).toEqual(Object.keys(SUPPLIER_LINK.changed).toSorted());
    expect(names(tables.buyer)).toEqual(Object.keys(BUYER.changed).toSorted());
    expect(names(tables.supplier)).toEqual(Object.keys(SUPPLIER.changed).toSorted());
  });

  it('say what an empty field means: pages know no null', () => {
    const all = Object.values(tables).flat();
    const abouts = all.flatMap(({ about, parts = [] }) => [
      about,
      ...parts.map((one) => one.about),
    ]);
    expect(abouts.filter((about) => about.includes('null'))).toEqual([]);
    expect(named(tables.buyerLink, 'priority')?.about).toBe('Lower is asked first; empty: last');
  });

  it('have the bounds, the unit and the default of a number', () => {
    expect(named(tables.campaign, 'answer_within_ms')).toMatchObject({
      label: 'Answer within',
      kind: 'number',
      unit: 'milliseconds',
      min: 200,
      max: 4_000,
      isWhole: true,
      isOptional: false,
      default: 2_000,
    });
    expect(named(tables.buyerLink, 'price')).toMatchObject({ min: 0, unit: 'money', default: 0 });
    expect(named(tables.campaign, 'daily_cap')).toMatchObject({
      label: 'Daily cap',
      unit: 'leads',
      isLimit: true,
      isOptional: true,
      default: null,
    });
  });

  it('have the options of a choice, and the parts of a setting that has parts', () => {
    expect(named(tables.campaign, 'distribution_method')).toMatchObject({
      kind: 'choice',
      options: ['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID'],
    });
    expect(named(tables.campaign, 'share_outcomes')?.kind).toBe('flag');
    const dedupe = named(tables.campaign, 'dedupe');
    expect(dedupe?.kind).toBe('parts');
    expect(dedupe?.parts?.map(({ name, kind }) => [name, kind])).toEqual([
      ['window_days', 'number'],
      ['fields', 'list'],
      ['match', 'choice'],
      ['on_duplicate', 'choice'],
    ]);
    expect(named(tables.buyerLink, 'daily_caps')?.parts).toHaveLength(7);
    expect(named(tables.buyer, 'rate_limit')?.kind).toBe('parts');
    expect(named(tables.buyerLink, 'filters')?.kind).toBe('json');
  });
});
