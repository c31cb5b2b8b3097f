import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findAction } from '../../../src/api/actions/named.js';
import { TEST_ZONE } from '../../support/org.js';
import { screensOf } from './pages.js';

const ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';

describe('the screens that are measured', () => {
  const screens = screensOf({
    timeZone: TEST_ZONE,
    campaignId: ID,
    buyerId: ID,
    buyerName: 'Buyer 1',
    supplierId: ID,
    supplierName: 'Supplier 1',
    leadId: ID,
    phone: '+12125551000',
    lastName: 'Doe 1',
    pingId: ID,
    cursor: 'cursor',
  });

  it.each(screens)('$name: makes calls that actions take', ({ calls }) => {
    const faults = calls.flatMap(([name, input]) => {
      const action = findAction(name);
      if (!action) return [`There is no action ${name}`];
      const { error } = action.input.safeParse(input);
      return error ? [`${name}: ${z.prettifyError(error)}`] : [];
    });
    expect(faults).toEqual([]);
  });

  it('have a name each', () => {
    const names = screens.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('only read', () => {
    const effects = screens.flatMap(({ calls }) => calls.map(([name]) => findAction(name)?.effect));
    expect(new Set(effects)).toEqual(new Set(['read']));
  });
});
