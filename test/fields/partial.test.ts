/** Decisions on a lead before all of its fields are known. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { findSkipReason } from '../../src/routing/rules/eligibility.js';
import { evaluateFilters, type FilterGroup } from '../../src/fields/filters.js';
import type { Fields } from '../../src/fields/values.js';
import { anyFields, group } from './anyFilters.js';
import { aBuyer } from '../support/builders.js';
import { aRule, context } from './filterContext.js';

const whole = (filters: FilterGroup, fields: Fields) => evaluateFilters(filters, fields, context);
const partly = (filters: FilterGroup, fields: Fields) =>
  evaluateFilters(filters, fields, { ...context, partial: true });
const NAMES = ['x', 'y', 'z'];

describe('filters of a partial lead', () => {
  it('refuse no partial lead that some completion would pass', () => {
    fc.assert(
      fc.property(group, anyFields, anyFields, (filters, fields, rest) => {
        if (partly(filters, fields).length === 0) return;
        expect(whole(filters, { ...rest, ...fields })).not.toEqual([]);
      }),
    );
  });

  it('name only rules that the whole lead fails too', () => {
    fc.assert(
      fc.property(group, anyFields, anyFields, (filters, fields, rest) => {
        const ids = whole(filters, { ...rest, ...fields }).map(({ filter_id }) => filter_id);
        const named = partly(filters, fields).map(({ filter_id }) => filter_id);
        expect(ids).toEqual(expect.arrayContaining(named));
      }),
    );
  });

  it('equal those of a complete one when nothing is absent', () => {
    fc.assert(
      fc.property(group, anyFields, (filters, fields) => {
        const all = { ...Object.fromEntries(NAMES.map((name) => [name, 'a'])), ...fields };
        expect(partly(filters, all)).toEqual(whole(filters, all));
      }),
    );
  });

  const adult = aRule('age', '>=', 18);
  const texan = aRule('state', '==', 'TX');
  it.each<[string, FilterGroup, Fields, string[]]>([
    ['an absent field', { all: [adult] }, {}, []],
    ['an absent field that must not be something', { all: [aRule('a', '!=', 1)] }, {}, []],
    ['an absent field that must be empty', { all: [aRule('a', 'IS EMPTY')] }, {}, []],
    [
      'a field that must be empty and is there',
      { all: [aRule('a', 'IS EMPTY')] },
      { a: 1 },
      ['a IS EMPTY'],
    ],
    ['all of them, one failing', { all: [adult, texan] }, { state: 'CA' }, ['state ==']],
    ['any of them, one failing', { any: [adult, texan] }, { state: 'CA' }, []],
    [
      'any of them, all failing',
      { any: [adult, texan] },
      { state: 'CA', age: 9 },
      ['age >=', 'state =='],
    ],
    [
      'a group that is open in one that fails',
      { all: [{ any: [adult] }, texan] },
      { state: 'CA' },
      ['state =='],
    ],
    [
      'a group that fails in one that is open',
      { any: [{ all: [texan] }, adult] },
      { state: 'CA' },
      [],
    ],
  ])('%s', (_, filters, fields, ids) => {
    expect(partly(filters, fields).map(({ filter_id }) => filter_id)).toEqual(ids);
  });

  it('have no effect outside their schedules', () => {
    const later = { ...texan, schedule: [{ days: ['mon' as const], from: '09:00', to: '10:00' }] };
    expect(partly({ any: [later, adult] }, { age: 9, state: 'CA' })).toHaveLength(1);
    expect(partly({ any: [later] }, { state: 'CA' })).toEqual([]);
  });
});

describe('buyers of a partial lead', () => {
  const left = (fields: Fields, partial: boolean) =>
    findSkipReason(
      aBuyer({ states: ['TX'], zips: ['75201'] }),
      { fields, is_test: false },
      { ...context, method: 'HIGHEST_BID', partial },
    )?.reason;

  it('stay in without the state and the zip code that they serve', () => {
    expect(left({}, false)).toBe('state_missing');
    expect(left({ state: 'TX' }, false)).toBe('zip_missing');
    expect(left({}, true)).toBeUndefined();
    expect(left({ state: 'TX' }, true)).toBeUndefined();
  });

  it('are left out by the fields that are present', () => {
    expect(left({ state: 'CA' }, true)).toBe('state_not_served');
    expect(left({ zip_code: '90210' }, true)).toBe('zip_not_served');
  });
});
