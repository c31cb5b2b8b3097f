import { expect, it } from '@jest/globals';
import { buyerTerms } from '../../../src/web/build/terms.js';

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
