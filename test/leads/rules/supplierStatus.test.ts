import { expect, it } from '@jest/globals';
import { supplierStatus } from '../../../src/leads/rules/supplierStatus.js';

it.each([
  ['NEW', 'undecided'],
  ['PENDING', 'pending'],
  ['SELLING', 'delivered'],
  ['ACCEPTED', 'delivered'],
  ['UNMATCHED', 'unmatched'],
  ['DUPLICATE', 'duplicate'],
  ['REJECTED', 'filtered'],
  ['EXPIRED', 'expired'],
  ['WITHDRAWN', 'withdrawn'],
] as const)('the supplier of a lead that is %s sees %s', (status, seen) => {
  expect(supplierStatus({ status })).toBe(seen);
});

it('a lead that the cap of its supplier refused is capped', () => {
  expect(supplierStatus({ status: 'REJECTED', refusal: 'supplier_capped' })).toBe('capped');
});
