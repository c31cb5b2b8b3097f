import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { createOutages, outageOf } from '../../src/lib/outages.js';
import { waitFor } from '../support/waitFor.js';

describe('outageOf', () => {
  const network = new MongoNetworkError('connection closed');

  it.each([
    ['an error of the connection', network, network],
    ['its cause', new Error('busy', { cause: new Error('x', { cause: network }) }), network],
    ['an error about what was asked', new MongoServerError({ message: 'E11000' }), null],
    ['another error', new Error('a bug'), null],
    ['nothing', undefined, null],
  ])('finds %s', (_name, error, found) => {
    expect(outageOf(error)).toBe(found);
  });
});

describe('outages', () => {
  it('are written once in a while, with the number of those between', async () => {
    const outages = createOutages(30);
    const counts: number[] = [];
    const first = Array.from({ length: 5 }, () =>
      outages.isFirst('away', (count) => counts.push(count)),
    );
    expect(first).toEqual([true, false, false, false, false]);
    expect(outages.isFirst('another', () => undefined)).toBe(true);
    await waitFor(() => counts.length === 1, { message: 'the others are counted' });
    expect(counts).toEqual([4]);
    expect(outages.isFirst('away', () => undefined)).toBe(true);
  });
});
