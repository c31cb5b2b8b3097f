/** A campaign's overrides of its buyer's delivery, in a file. */
import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../cli/accountFile/model.js';
import { createChangeSet } from '../../../cli/accountFile/changeSet.js';
import { stepsOf } from '../../../cli/accountFile/steps.js';
import { delivery as own, fileOf, planOf } from './accounts.js';

const OWN = { ...own({ url: 'https://buyer.example/leads' }), headers: { 'X-Key': '[hidden]' } };

const account = (delivery: object | null): Account => ({
  buyers: [{ id: 'b', name: 'Acme', terms: { delivery: OWN } }],
  suppliers: [],
  funnels: [],
  automations: [],
  campaigns: [
    {
      id: 'c',
      name: 'Auto',
      version: 3,
      terms: {},
      suppliers: [],
      buyers: [{ name: 'Acme', terms: { price: 5, delivery } }],
    },
  ],
});
const file = (delivery: string) =>
  fileOf(
    `version: 1\ncampaigns:\n  - name: Auto\n    buyers: [{ buyer: Acme, delivery: ${delivery} }]\n`,
  );
const inputs = (text: string, there: object | null, withHeaders = false) =>
  stepsOf(planOf(file(text), account(there), { withHeaders }), { withHeaders }).map(
    ({ action, input }) => [action, input],
  );

describe("a campaign's delivery in a file", () => {
  const URL = 'https://auto.example/leads';

  it('is sent as written, with its own header value, although the buyer has one', () => {
    expect(inputs(`{ url: "${URL}", headers: { X-Key: new } }`, null)).toEqual([
      [
        'update_campaign_buyer',
        { delivery: { method: 'WEBHOOK', url: URL, headers: { 'X-Key': 'new' } } },
      ],
    ]);
  });

  it('changes nothing when it is already set, and keeps a header value by default', () => {
    const there = { method: 'WEBHOOK', url: URL, headers: { 'X-Key': '[hidden]' } };
    const text = `{ url: "${URL}", headers: { X-Key: other } }`;
    expect(inputs(text, there)).toEqual([]);
    expect(inputs(text, there, true)).toMatchObject([
      ['update_campaign_buyer', { delivery: { headers: { 'X-Key': 'other' } } }],
    ]);
  });

  it('is removed by null', () => {
    expect(inputs('null', { timeout_ms: 700 })).toEqual([
      ['update_campaign_buyer', { delivery: null }],
    ]);
    expect(inputs('null', null)).toEqual([]);
  });

  it('is checked together with the delivery of the buyer', () => {
    const planned = createChangeSet(file('{ subject: x }'), account(null), { withHeaders: false });
    expect(planned).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('not a setting of the method WEBHOOK') }],
    });
  });
});
