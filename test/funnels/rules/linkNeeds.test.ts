/** Warnings of fields without which a funnel's leads do not reach buyers. */
import { describe, expect, it } from '@jest/globals';
import type { FilterGroup, Operator } from '../../../src/fields/filters.js';
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';
import { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { linkWarnings, type LinkTerms } from '../../../src/funnels/rules/linkNeeds.js';
import { mapping } from './mapping.js';

const FIELDS = mapping(
  { name: 'loan_amount', type: 'Number' },
  { name: 'owner', type: 'Boolean', default: true },
);

const aLink = (changes: Partial<LinkTerms> = {}): LinkTerms => ({
  name: 'Premier',
  status: 'active',
  states: [],
  zips: null,
  filters: null,
  ...changes,
});

const asking = (
  names: readonly string[],
  changes: Partial<FunnelDefinitionInput> = {},
): FunnelDefinition =>
  FunnelDefinition.parse({
    title: 'Loans',
    blocks: [
      {
        id: 'contact',
        type: 'form',
        title: 'Who are you?',
        fields: ['full_name', 'phone', 'email', ...names].map((name) => ({ name, label: name })),
      },
    ],
    consent: { text: 'I agree.' },
    thanks: { title: 'Thanks' },
    no_buyer: { title: 'Sorry' },
    ...changes,
  } satisfies FunnelDefinitionInput);

const rule = (field: string, operator: Operator) => ({ id: field, field, operator, value: 1 });
const warned = (definition: FunnelDefinition, ...links: LinkTerms[]): string[] =>
  linkWarnings(definition, FIELDS, links).map((text) => /asks no (\w+)/.exec(text)?.[1] ?? text);

describe('a funnel warns of a field that a link of its campaign needs', () => {
  it('for its states, and says what to do', () => {
    expect(linkWarnings(asking([]), FIELDS, [aLink({ states: ['CA'] })])).toEqual([
      'definition.blocks asks no state, which the links of Premier need: no lead of this funnel goes there. Ask state or ' +
        'zip_code, whose state the lead gets, in a step of definition.blocks, or set state in ' +
        'definition.hidden_fields (update_funnel).',
    ]);
  });

  it.each<[string, Partial<LinkTerms>, string[]]>([
    ['zips', { zips: ['90210'] }, ['zip_code']],
    ['a radius', { zips: { zips: ['90210'], miles: 5 } }, ['zip_code']],
    ['states and zips', { states: ['CA'], zips: ['90210'] }, ['state', 'zip_code']],
    ['a filter', { filters: { all: [rule('loan_amount', '>=')] } }, ['loan_amount']],
    [
      'a filter that passes without the field',
      { filters: { all: [rule('source', 'NOT IN')] } },
      [],
    ],
    ['a filter of a field with a default', { filters: { all: [rule('owner', '==')] } }, []],
    ['a filter of what every lead has', { filters: { all: [rule('last_name', '==')] } }, []],
    ['a filter of what no field is', { filters: { all: [rule('other', '==')] } }, []],
    ['no terms', {}, []],
    ['a paused link', { status: 'paused', states: ['CA'] }, []],
  ])('for %s', (_, changes, names) => {
    expect(warned(asking([]), aLink(changes))).toEqual(names);
  });

  it('for each way through a filter of alternatives, unless one passes without', () => {
    const either = (...all: Operator[]): FilterGroup => ({
      any: all.map((operator, at) => rule(at === 0 ? 'loan_amount' : 'source', operator)),
    });
    expect(warned(asking([]), aLink({ filters: either('>', '==') }))).toEqual([
      'source',
      'loan_amount',
    ]);
    expect(warned(asking([]), aLink({ filters: either('>', '!=') }))).toEqual([]);
  });

  it('not where it asks the field, hides it, or asks the zip code that a state is known by', () => {
    const link = aLink({ states: ['CA'], filters: { all: [rule('state', 'IN')] } });
    expect(warned(asking(['state']), link)).toEqual([]);
    expect(warned(asking(['zip_code']), link)).toEqual([]);
    expect(warned(asking([], { hidden_fields: { state: 'CA' } }), link)).toEqual([]);
    expect(warned(asking(['state']), aLink({ zips: ['90210'] }))).toEqual(['zip_code']);
  });

  it('once for all its buyers, of whom it names three', () => {
    const links = ['A', 'B', 'C', 'D', 'E'].map((name) => aLink({ name, states: ['CA'] }));
    const [warning, ...others] = linkWarnings(asking([]), FIELDS, links);
    expect(warning).toContain('the links of A, B, C and 2 more need');
    expect(others).toEqual([]);
  });
});
