import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isKnownZip,
  isWithin,
  milesBetween,
  milesToNearest,
  stateOfZip,
} from '../../src/fields/zips.js';

describe('the distance of two zip codes', () => {
  /** Great-circle distances between the cities, from atlases; a zip code is only a part of its city. */
  it.each([
    ['10001', '90001', 2_446, 15],
    ['10001', '60601', 713, 8],
    ['94103', '90012', 347, 8],
    ['33101', '99501', 4_005, 25],
    ['96813', '94103', 2_397, 15],
    ['20001', '10001', 204, 6],
    ['00901', '33101', 1_045, 15],
    ['10001', '10002', 2.3, 1],
  ])('%s to %s is about %d miles', (a, b, miles, tolerance) => {
    const distance = milesBetween(a, b) ?? NaN;
    expect(Math.abs(distance - miles)).toBeLessThanOrEqual(tolerance);
    expect(milesBetween(b, a)).toBeCloseTo(distance, 9);
  });

  it('is nothing to itself, and unknown for a code that is none', () => {
    expect(milesBetween('90210', '90210')).toBe(0);
    expect(milesBetween('90210', '00000')).toBeUndefined();
    expect(milesBetween('text', '90210')).toBeUndefined();
  });

  it('obeys the triangle', () => {
    const zip = fc.integer({ min: 1, max: 99_999 }).map((code) => String(code).padStart(5, '0'));
    const known = zip.filter(isKnownZip);
    fc.assert(
      fc.property(known, known, known, (a, b, c) => {
        const [ab, bc, ac] = [milesBetween(a, b), milesBetween(b, c), milesBetween(a, c)];
        expect(ac).toBeLessThanOrEqual((ab ?? NaN) + (bc ?? NaN) + 1e-6);
      }),
    );
  });
});

describe('the table', () => {
  it.each([
    '00901',
    '10001',
    '20500',
    '77001',
    '85001',
    '90210',
    '96813',
    '96910',
    '99501',
    '99950',
  ])('knows %s', (zip) => expect(isKnownZip(zip)).toBe(true));
  it.each(['00000', '99999', 'abcde', '', '9021', '902101', '1e4'])('does not know "%s"', (zip) =>
    expect(isKnownZip(zip)).toBe(false),
  );
});

describe('the state of a zip code', () => {
  it.each([
    ['90001', 'CA'],
    ['90210-1234', 'CA'],
    ['77001', 'TX'],
    ['10001', 'NY'],
    ['00901', 'PR'],
    ['00501', 'NY'],
    ['20500', 'DC'],
    ['02134', 'MA'],
    ['96910', 'GU'],
    ['99950', 'AK'],
    // Palau has zip codes, and is no state of the US.
    ['96940', undefined],
    ['00000', undefined],
    ['99999', undefined],
    ['9021', undefined],
    ['text', undefined],
    ['', undefined],
  ])('%s is %s', (zip, state) => expect(stateOfZip(zip)).toBe(state));
});

describe('an area', () => {
  it('is a list, in which a code need not be known', () => {
    expect(isWithin('00000', ['00000', '90210'])).toBe('inside');
    expect(isWithin('90210-1234', ['90210'])).toBe('inside');
    expect(isWithin('90211', ['90210'])).toBe('outside');
    expect(isWithin('no zip', ['90210'])).toBe('unknown');
  });

  it('is a radius around any of its centers', () => {
    const area = { zips: ['90210', '10001'], miles: 25 };
    expect(isWithin('90001', area)).toBe('inside');
    expect(isWithin('10304', area)).toBe('inside');
    expect(isWithin('60601', area)).toBe('outside');
    expect(isWithin('00000', area)).toBe('unknown');
    expect(milesToNearest('60601', area)).toBeCloseTo(milesBetween('60601', '10001') ?? NaN, 6);
  });

  it('ends exactly at its miles', () => {
    const miles = milesBetween('90210', '90001') ?? NaN;
    expect(isWithin('90001', { zips: ['90210'], miles })).toBe('inside');
    expect(isWithin('90001', { zips: ['90210'], miles: miles - 0.001 })).toBe('outside');
  });
});
