import { describe, expect, it } from '@jest/globals';
import { withGivenMethod } from '../../../src/account/buyers/delivery/givenMethod.js';
import type { DeliveryInput } from '../../../src/account/buyers/deliverySchema.js';

const url = 'https://buyer.example/leads';

describe('withGivenMethod', () => {
  it.each<[DeliveryInput, DeliveryInput]>([
    [{ url }, { method: 'WEBHOOK', url }],
    [
      { url, method: null },
      { method: 'WEBHOOK', url },
    ],
    [
      { url, method: 'EMAIL' },
      { url, method: 'EMAIL' },
    ],
    [{ url: null }, { url: null }],
    [{ method: null }, { method: null }],
    [{ timeout_ms: 900 }, { timeout_ms: 900 }],
  ])('turns %j into %j', (given, result) => {
    expect(withGivenMethod(given)).toEqual(result);
  });
});
