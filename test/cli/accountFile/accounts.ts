/** Accounts as the server stores them, and files read and planned. */
import fc from 'fast-check';
import type { Account, AccountFile, Named, Terms } from '../../../cli/accountFile/model.js';
import type { ChangeSet } from '../../../cli/accountFile/difference.js';
import { createChangeSet } from '../../../cli/accountFile/changeSet.js';
import { readFile } from '../../../cli/accountFile/readFile.js';
import { mergeFields } from '../../../src/account/plans/compilePlan.js';
import { checkBuyerPing } from '../../../src/account/buyers/buyerPing.js';
import type { BuyerPingInput } from '../../../src/account/buyers/buyerPing.js';
import { checkDelivery } from '../../../src/account/buyers/delivery.js';
import {
  checkPingSettings,
  pingSettingsView,
} from '../../../src/account/campaigns/pingSettings.js';
import { checkFilterInput } from '../../../src/account/campaigns/targeting.js';
import { deliveryView } from '../../../src/api/actions/views.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';

export const options = { withHeaders: false };
export const EMPTY: Account = {
  buyers: [],
  suppliers: [],
  campaigns: [],
  funnels: [],
  automations: [],
};

export function fileOf(text: string): AccountFile {
  const read = readFile(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.file;
}

export function planOf(file: AccountFile, account: Account, by = options): ChangeSet {
  const planned = createChangeSet(file, account, by);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  return planned.changeSet;
}

export const age: FieldRule = {
  name: 'age',
  type: 'Number',
  required: true,
  ping_required: false,
  min: 18,
};
const zip: FieldRule = { name: 'plan', type: 'String', required: false, ping_required: false };
/** As the Actions API shows it. */
export const delivery = (input: object): Terms => {
  const policy = { allowPrivate: true, mail: true };
  const checked = checkDelivery(input, { policy, fieldNames: ['email', 'age'] });
  return deliveryView({ delivery: checked });
};

/** As the server stores it: every setting, in normal form. */
export const accounts: fc.Arbitrary<Account> = (() => {
  const names = fc.uniqueArray(
    fc
      .oneof(
        fc.constantFrom('null', 'yes', '- a: b', '007', 'A "q" #x', 'é\u2028', '[x]'),
        fc.string({ minLength: 1, maxLength: 12 }),
      )
      .map((text) => text.trim())
      .filter((text) => text !== ''),
    { maxLength: 4 },
  );
  const nullable = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
  const status = fc.constantFrom('active', 'paused');
  const caps = fc.record(
    {
      daily_cap: fc.nat({ max: 1_000_000_000 }),
      daily_caps: fc.record({ mon: fc.nat({ max: 50 }), sun: fc.nat({ max: 50 }) }),
      monthly_cap: fc.nat({ max: 1_000 }),
      total_budget: fc.nat({ max: 99_999 }).map((n) => n / 100),
    },
    { requiredKeys: [] },
  );
  const filters = nullable(
    fc.constantFrom(
      { all: [{ field: 'state', operator: 'IN', value: ['CA', 'TX'] }] },
      {
        any: [
          { field: 'email', operator: 'CONTAINS', value: '@' },
          { field: 'source', operator: 'IS EMPTY' },
        ],
      },
    ),
  ).map((input) => checkFilterInput(input, []));
  const buyerTerms = fc.record(
    {
      email: nullable(fc.constantFrom('a@b.example', 'null', '1e3')),
      phone: fc.constant(null),
      location: nullable(fc.string({ maxLength: 20 })),
      status,
      test_mode: fc.boolean(),
      delivery: fc
        .constantFrom<object>(
          { method: 'STORE' },
          { url: 'https://buyer.example/x?a=#b', headers: { 'X-Key': '[hidden]' } },
          { url: 'https://buyer.example', template: { who: '{{email}}', list: [1, null, 'x: y'] } },
          {
            url: 'https://buyer.example',
            response: { accept_when: { path: 'ok', equals: true }, price_path: 'p' },
          },
          {
            method: 'EMAIL',
            to: 'a@b.example',
            subject: '{{age}}: new\nlead',
            template: 'a\n\n b ',
          },
        )
        .map((input) => stored(input)),
      ping: fc
        .constantFrom<BuyerPingInput>(
          { url: 'https://buyer.example/ping', fields: ['age'] },
          { enabled: false, url: 'https://buyer.example', headers: { 'X-Key': '[hidden]' } },
          { url: 'https://buyer.example', timeout_ms: 90, response: { price_path: 'offer.cents' } },
        )
        .map((input) => storedPing(input)),
    },
    { requiredKeys: ['email', 'phone', 'location', 'status', 'test_mode', 'delivery'] },
  );
  const margin = nullable(
    fc.oneof(
      fc.nat({ max: 100 }).map((percent) => ({ percent })),
      fc.nat({ max: 999 }).map((n) => ({ fixed: n / 100 })),
    ),
  );
  const daily_ping_cap = nullable(fc.nat({ max: 1_000 }));
  const buyerLink = fc.record({
    status,
    price: fc.nat({ max: 999_999 }).map((n) => n / 100),
    priority: nullable(fc.nat({ max: 9 })),
    weight: fc.nat({ max: 100 }),
    states: fc
      .subarray(['CA', 'NY', 'TX'])
      .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
    zips: nullable(fc.constantFrom<unknown>(['02134', '90210'], { zips: ['90210'], miles: 25 })),
    filters,
    schedule: nullable(fc.constant([{ days: ['mon', 'tue'], from: '08:00', to: '18:00' }])),
    when_closed: fc.constantFrom('SKIP', 'HOLD'),
    when_unavailable: fc.constantFrom('NEXT', 'WAIT'),
    caps,
    margin,
    daily_ping_cap,
    conversion_price: nullable(fc.nat({ max: 999 }).map((n) => n / 10)),
    delivery: nullable(
      fc.constantFrom<object>(
        { timeout_ms: 700 },
        { method: 'WEBHOOK', url: 'https://auto.example', headers: { 'X-Key': '[hidden]' } },
        { method: 'EMAIL', to: ['a@b.example'] },
      ),
    ),
  });
  const supplierLink = fc.record({
    status,
    cost_mode: fc.constantFrom('FIXED', 'NONE'),
    cost_per_lead: fc.nat({ max: 50 }),
    revenue_share: fc.nat({ max: 100 }),
    caps,
    daily_ping_cap,
  });
  const campaign = fc.record({
    status: fc.constantFrom('ACTIVE', 'PAUSED', 'ARCHIVED'),
    routing_method: fc.constantFrom('DIRECT_POST', 'PING_POST'),
    distribution_method: fc.constantFrom('WATERFALL', 'WEIGHTED'),
    answer_within_ms: fc.integer({ min: 200, max: 4_000 }),
    max_sells: fc.integer({ min: 1, max: 20 }),
    conversion_window_days: nullable(fc.integer({ min: 1, max: 365 })),
    share_outcomes: fc.boolean(),
    vertical: nullable(fc.constantFrom('Solar', 'Médical', '太陽光')),
    campaign_type: fc.constant('LEADS'),
    dedupe: fc.record({
      window_days: fc.integer({ min: 1, max: 99 }),
      fields: fc.subarray(['phone', 'email']),
      match: fc.constantFrom('ANY', 'ALL'),
      on_duplicate: fc.constant('REJECT'),
    }),
    caps,
    ping: fc
      .record({ margin, min_bid: nullable(fc.nat({ max: 9 })), reveal_buyers: fc.boolean() })
      .map((input) => pingSettingsView(checkPingSettings(input))),
    fields: fc
      .subarray(
        [age, zip, { ...age, name: 'phone', type: 'Phone', label: 'Tel' } as FieldRule].map(
          ({ min: _min, ...one }) => (one.name === 'age' ? age : one),
        ),
      )
      .map((own) => mergeFields(own)),
    filters,
  });
  const automation = fc.constantFrom<Terms>(
    {
      trigger: 'lead.accepted',
      action: 'WEBHOOK',
      campaign: null,
      conditions: null,
      target: { url: 'https://crm.example/', headers: { 'X-Key': '[hidden]' } },
      status: 'active',
    },
    {
      trigger: 'lead.unmatched',
      action: 'SLACK',
      campaign: null,
      conditions: { all: [{ id: 'f1', field: 'state', operator: 'IN', value: ['CA'] }] },
      target: { url: '[hidden]' },
      status: 'paused',
    },
    // Disabled by the service: a file does not say so.
    {
      trigger: 'buyer.paused',
      action: 'EMAIL',
      campaign: null,
      conditions: null,
      target: { to: ['a@b.example'] },
    },
  );
  const record = <T extends Terms>(list: readonly string[], terms: fc.Arbitrary<T>) =>
    fc.tuple(
      ...list.map((name) => terms.map((one) => ({ id: `id of ${name}`, name, terms: one }))),
    );
  return fc.tuple(names, names, names).chain(([buyers, suppliers, campaigns]) =>
    fc.record({
      buyers: record(buyers, buyerTerms),
      suppliers: record(
        suppliers,
        fc.record({
          status,
          test_mode: fc.boolean(),
          rate_limit: fc.constant({ per_second: 5, burst_per_second: 9, burst_seconds: 1 }),
          ping_rate_limit: fc.constant({ per_second: 6, burst_per_second: 6, burst_seconds: 2 }),
        }),
      ),
      campaigns: fc.tuple(
        ...campaigns.map((name) =>
          fc.record({
            id: fc.constant(`id of ${name}`),
            name: fc.constant(name),
            terms: campaign,
            version: fc.nat(),
            buyers: record(buyers, buyerLink).map((links) => links as Named[]),
            suppliers: record(suppliers, supplierLink).map((links) => links as Named[]),
          }),
        ),
      ),
      // Funnels have a test of their own, with whole definitions.
      funnels: fc.constant([]),
      automations: record(buyers, automation),
    }),
  );
})();

/** Headers are shown hidden. */
function stored(input: object): Terms {
  const { headers, ...others } = input as { headers?: object };
  return headers ? { ...delivery(others), headers } : delivery(others);
}

/** As the Actions API shows it, too. */
function storedPing({ headers, ...input }: BuyerPingInput): Terms {
  const context = { policy: { allowPrivate: true }, fieldNames: ['age'] };
  const { response = null, ...ping } = checkBuyerPing(input, context);
  return { ...ping, headers: headers ?? {}, response };
}
