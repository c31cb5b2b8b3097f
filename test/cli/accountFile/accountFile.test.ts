/** The account as a file: it reads back as written, and gives the same plan in any order. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import type { AccountFile } from '../../../cli/accountFile/model.js';
import { createChangeSet } from '../../../cli/accountFile/changeSet.js';
import { stepsOf } from '../../../cli/accountFile/steps.js';
import { writeFile } from '../../../cli/accountFile/writeFile.js';

import { accounts, fileOf, options, planOf } from './accounts.js';

const shuffled = (file: AccountFile, seed: number): AccountFile => {
  const turn = <T>(list: readonly T[]): T[] =>
    list.toSorted((a, b) => hash(a, seed) - hash(b, seed));
  return {
    buyers: turn(file.buyers),
    suppliers: turn(file.suppliers),
    campaigns: turn(file.campaigns).map((one) => ({
      ...one,
      buyers: turn(one.buyers),
      suppliers: turn(one.suppliers),
    })),
    funnels: turn(file.funnels),
    automations: turn(file.automations),
  };
};
const hash = (value: unknown, seed: number): number =>
  Buffer.from(JSON.stringify(value)).reduce((sum, byte) => (sum * 31 + byte) % 10_007, seed);

describe('an exported account', () => {
  it('has no changes for the account it is from', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const changeSet = planOf(fileOf(writeFile(account)), account);
        expect(changeSet).toEqual({ differences: [], leftOut: [] });
      }),
      { numRuns: 40 },
    );
  });

  it('is the same text whatever the order of the account', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const turned = {
          buyers: account.buyers.toReversed(),
          suppliers: account.suppliers.toReversed(),
          campaigns: account.campaigns
            .toReversed()
            .map((one) => ({ ...one, buyers: one.buyers.toReversed() })),
          funnels: account.funnels,
          automations: account.automations,
        };
        expect(writeFile(turned)).toBe(writeFile(account));
      }),
      { numRuns: 20 },
    );
  });

  it('gives the same plan in any order of its records', () => {
    fc.assert(
      fc.property(accounts, accounts, fc.nat(), (from, to, seed) => {
        const file = fileOf(writeFile(from));
        // A marker keeps a stored header value; another account may not have it.
        const other = { ...to, buyers: from.buyers };
        const plan = createChangeSet(file, other, options);
        const turned = createChangeSet(shuffled(file, seed), other, options);
        expect(turned.ok).toBe(plan.ok);
        if (!plan.ok || !turned.ok) return;
        expect(turned).toEqual(plan);
        expect(stepsOf(turned.changeSet, options)).toEqual(stepsOf(plan.changeSet, options));
      }),
      { numRuns: 20 },
    );
  });
});
