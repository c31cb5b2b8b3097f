import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../cli/accountFile/model.js';
import { stepsOf } from '../../../cli/accountFile/steps.js';
import { DEFAULT_RETURNS } from '../../../src/account/buyers/returnsSchema.js';
import { delivery, fileOf, options, planOf } from './accounts.js';

const TEXT = [
  'version: 1',
  'buyers:',
  '  - name: Acme',
  '    returns: { max_age_days: 14, resell: true }',
  '  - name: Bolt',
  '    returns: { allowed: false }',
  '',
].join('\n');

const buyer = (name: string, terms: object) => ({
  id: name,
  name,
  terms: { delivery: delivery({ method: 'STORE' }), ...terms },
});
const accountOf = (...buyers: Account['buyers']): Account => ({
  buyers,
  suppliers: [],
  campaigns: [],
  funnels: [],
  automations: [],
});
const stepped = (text: string, account: Account) =>
  stepsOf(planOf(fileOf(text), account), options).map(({ action, input }) => [action, input]);

describe('the returns of buyers in the account as a file', () => {
  it('are set as written, for existing and new buyers', () => {
    expect(stepped(TEXT, accountOf(buyer('Acme', {})))).toEqual([
      ['set_buyer_returns', { max_age_days: 14, resell: true }],
      ['create_buyer', { name: 'Bolt' }],
      ['set_buyer_returns', { allowed: false }],
    ]);
  });

  it('are not changed when they are already set', () => {
    const acme = { returns: { ...DEFAULT_RETURNS, max_age_days: 14, resell: true } };
    const bolt = { returns: { ...DEFAULT_RETURNS, allowed: false } };
    expect(stepped(TEXT, accountOf(buyer('Acme', acme), buyer('Bolt', bolt)))).toEqual([]);
  });

  it('are checked before anything is done', () => {
    const bad = TEXT.replace('max_age_days: 14', 'max_share_pct: 101');
    expect(() => stepped(bad, accountOf(buyer('Acme', {})))).toThrow(
      'max_share_pct must be a percentage, 0 to 100',
    );
  });
});
