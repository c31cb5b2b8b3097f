/** The account as a file, without a server: what is read, planned and written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account, AccountFile, Named, Terms } from '../../cli/account/model.js';
import { makePlan, type Plan } from '../../cli/account/plan.js';
import { readFile } from '../../cli/account/readFile.js';
import { stepsOf } from '../../cli/account/steps.js';
import { writeFile } from '../../cli/account/writeFile.js';
import { mergeFields } from '../../src/account/compilePlan.js';
import { checkDelivery } from '../../src/account/delivery.js';
import { checkFilterInput, checkScheduleInput } from '../../src/account/targeting.js';
import type { FieldRule } from '../../src/domain/plan.js';

const options = { withHeaders: false };
const EMPTY: Account = { buyers: [], suppliers: [], campaigns: [] };

function fileOf(text: string): AccountFile {
  const read = readFile(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.file;
}

function planOf(file: AccountFile, account: Account, by = options): Plan {
  const planned = makePlan(file, account, by);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  return planned.plan;
}

const problemsOf = (text: string, account = EMPTY) => {
  const read = readFile(text);
  if (!read.ok)
    return read.problems.map(({ line, path, message }) => [line, path.join('.') + message]);
  const planned = makePlan(read.file, account, options);
  if (planned.ok) return [];
  return planned.problems.map(({ path, message }) => [read.lineOf(path), path.join('.') + message]);
};

const age: FieldRule = {
  name: 'age',
  type: 'Number',
  required: true,
  ping_required: false,
  min: 18,
};
const zip: FieldRule = { name: 'plan', type: 'String', required: false, ping_required: false };
const delivery = (input: object): Terms => ({
  ...checkDelivery(input, {
    policy: { allowPrivate: true, mail: true },
    fieldNames: ['email', 'age'],
  }),
});

/** As the server has it: every setting, in normal form. */
const accounts: fc.Arbitrary<Account> = (() => {
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
  const buyerTerms = fc.record({
    email: nullable(fc.constantFrom('a@b.example', 'null', '1e3')),
    phone: fc.constant(null),
    location: nullable(fc.string({ maxLength: 20 })),
    ...{ status, test_mode: fc.boolean() },
    delivery: fc
      .constantFrom<object>(
        { method: 'STORE' },
        { url: 'https://buyer.example/x?a=#b', headers: { 'X-Key': '[hidden]' } },
        { url: 'https://buyer.example', template: { who: '{{email}}', list: [1, null, 'x: y'] } },
        {
          url: 'https://buyer.example',
          response: { accept_when: { path: 'ok', equals: true }, price_path: 'p' },
        },
        { method: 'EMAIL', to: 'a@b.example', subject: '{{age}}: new\nlead', template: 'a\n\n b ' },
      )
      .map((input) => stored(input)),
  });
  const buyerLink = fc.record({
    ...{
      status,
      price: fc.nat({ max: 999_999 }).map((n) => n / 100),
      priority: nullable(fc.nat({ max: 9 })),
    },
    weight: fc.nat({ max: 100 }),
    states: fc
      .subarray(['CA', 'NY', 'TX'])
      .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
    zips: nullable(fc.constantFrom<unknown>(['02134', '90210'], { zips: ['90210'], miles: 25 })),
    filters,
    schedule: nullable(fc.constant({ days: ['mon', 'Tuesday'], from: '8:00', to: '18:00' })).map(
      (input) => checkScheduleInput(input),
    ),
    when_closed: fc.constantFrom('SKIP', 'HOLD'),
    when_unavailable: fc.constantFrom('NEXT', 'WAIT'),
    caps,
  });
  const supplierLink = fc.record({
    ...{
      status,
      cost_mode: fc.constantFrom('FIXED', 'NONE'),
      cost_per_lead: fc.nat({ max: 50 }),
      revenue_share: fc.nat({ max: 100 }),
      caps,
    },
  });
  const campaign = fc.record({
    status: fc.constantFrom('ACTIVE', 'PAUSED', 'ARCHIVED'),
    routing_method: fc.constantFrom('DIRECT_POST', 'PING_POST'),
    distribution_method: fc.constantFrom('WATERFALL', 'WEIGHTED'),
    answer_within_ms: fc.integer({ min: 200, max: 4_000 }),
    max_sells: fc.integer({ min: 1, max: 20 }),
    dedupe: fc.record({
      window_days: fc.integer({ min: 1, max: 99 }),
      fields: fc.subarray(['phone', 'email']),
      match: fc.constantFrom('ANY', 'ALL'),
      on_duplicate: fc.constant('REJECT'),
    }),
    caps,
    fields: fc
      .subarray(
        [age, zip, { ...age, name: 'phone', type: 'Phone', label: 'Tel' } as FieldRule].map(
          ({ min: _min, ...one }) => (one.name === 'age' ? age : one),
        ),
      )
      .map((own) => mergeFields(own)),
    filters,
  });
  const record = <T extends Terms>(list: readonly string[], terms: fc.Arbitrary<T>) =>
    fc.tuple(
      ...list.map((name) =>
        terms.map((one) => ({ id: `id of ${name}`, name, terms: one as Terms })),
      ),
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
        }),
      ),
      campaigns: fc.tuple(
        ...campaigns.map((name) =>
          fc.record({
            ...{
              id: fc.constant(`id of ${name}`),
              name: fc.constant(name),
              terms: campaign as fc.Arbitrary<Terms>,
              version: fc.nat(),
            },
            buyers: record(buyers, buyerLink).map((links) => links as Named[]),
            suppliers: record(suppliers, supplierLink).map((links) => links as Named[]),
          }),
        ),
      ),
    }),
  );
})();

/** Headers are shown hidden. */
function stored(input: object): Terms {
  const { headers, ...others } = input as { headers?: object };
  return headers ? { ...delivery(others), headers } : delivery(others);
}

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
  };
};
const hash = (value: unknown, seed: number): number =>
  [...JSON.stringify(value)].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_007,
    seed,
  );

describe('an exported account', () => {
  it('has nothing to be applied to the account it is from', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const plan = planOf(fileOf(writeFile(account)), account);
        expect(plan).toEqual({ differences: [], leftOut: [] });
      }),
      { numRuns: 150 },
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
        };
        expect(writeFile(turned)).toBe(writeFile(account));
      }),
      { numRuns: 50 },
    );
  });

  it('is planned alike in any order of its records', () => {
    fc.assert(
      fc.property(accounts, accounts, fc.nat(), (from, to, seed) => {
        const file = fileOf(writeFile(from));
        // A marker keeps the value of a header, which another account need not have.
        const other = { ...to, buyers: from.buyers };
        const plan = makePlan(file, other, options);
        const turned = makePlan(shuffled(file, seed), other, options);
        if (!plan.ok || !turned.ok) return expect(turned.ok).toBe(plan.ok);
        expect(turned).toEqual(plan);
        expect(stepsOf(turned.plan, options)).toEqual(stepsOf(plan.plan, options));
      }),
      { numRuns: 50 },
    );
  });
});

const yaml = (...lines: string[]) => ['version: 1', ...lines, ''].join('\n');

/** A campaign as the server has it, with a buyer whose filters ask for a field. */
const withAge = (): Account => ({
  buyers: [
    { id: 'b', name: 'Acme', terms: { status: 'active', delivery: delivery({ method: 'STORE' }) } },
  ],
  suppliers: [],
  campaigns: [
    {
      ...{ id: 'c', name: 'Auto', version: 3, suppliers: [] },
      terms: {
        status: 'PAUSED',
        caps: { daily_cap: 5, total_cap: 9 },
        fields: mergeFields([age]),
        filters: null,
      },
      buyers: [
        {
          name: 'Acme',
          terms: {
            price: 25,
            filters: checkFilterInput([{ field: 'age', operator: '>', value: 20 }], [age]),
          },
        },
      ],
    },
  ],
});

describe('a file with problems', () => {
  it('tells each with its place, line, and the nearest key or name', () => {
    const text = yaml(
      'buyers:',
      '  - name: Acme',
      '    delivery: { url: ftp://x, heders: {} }',
      'campaigns:',
      '  - name: Auto',
      '    daily_cap: 3',
      '    statuss: ACTIVE',
      '    max_sells: many',
      '  - status: ACTIVE',
    );
    expect(problemsOf(text)).toEqual([
      [4, 'buyers.0.delivery.heders is no key of this input. Did you mean headers?'],
      [9, 'campaigns.0.max_sells must be a number.'],
      [7, 'campaigns.0.daily_cap belongs into caps: caps: { daily_cap: … }'],
      [8, 'campaigns.0.statuss is no key of this input. Did you mean status?'],
      [10, 'campaigns.1.name is required.'],
    ]);
  });

  it('is held against the rules of the account before anything is done', () => {
    const text = yaml(
      'buyers:',
      '  - name: Acme',
      '    delivery: { url: ftp://x, headers: { X-Key: "[hidden]" } }',
      'campaigns:',
      '  - name: Auto',
      '    fields: [{ name: age, type: Number }]',
      '    filters: [{ field: agee, operator: ">", value: 1 }]',
      '    buyers:',
      '      - buyer: Acmee',
      '        states: [Texas]',
      '        zips: [02134]',
      '      - buyer: Acme',
      '        price: 1.23456',
      '      - buyer: Acme',
    );
    expect(problemsOf(text)).toEqual([[15, 'campaigns.0.buyers.2: "Acme" is there twice.']]);
    expect(
      problemsOf(
        text.replace('      - buyer: Acme\n        price', '      - buyer: Acme2\n        price'),
      ),
    ).toEqual([
      [4, expect.stringMatching(/^buyers.0.delivery: .*url must begin with https/)],
      [4, expect.stringMatching(/X-Key has no value yet that could be kept/)],
      [8, expect.stringMatching(/^campaigns.0.filters: .*agee/)],
      [10, expect.stringContaining('there is no buyer "Acmee"')],
      [11, expect.stringMatching(/states must hold two-letter codes/)],
      [12, expect.stringMatching(/zips must be five-digit zip codes as text, such as "02134"/)],
      [13, expect.stringContaining('Did you mean "Acme"?')],
      [14, expect.stringMatching(/price must be 0 or more with at most 4 decimals/)],
    ]);
  });

  it.each([
    ['', 1, 'The file must be a map'],
    ['a: [1', 1, 'Flow sequence'],
    ['version: 2', 1, 'version must be 1.'],
    ['version: 1\nversion: 1', 2, 'Map keys must be unique'],
    ['version: 1\n---\nversion: 1', 2, 'multiple documents'],
  ])('%j is refused', (text, line, message) => {
    expect(problemsOf(text)).toEqual([[line, expect.stringContaining(message)]]);
  });

  it('may not take a field from filters that stay', () => {
    const text = yaml('campaigns:', '  - name: Auto', '    fields: []');
    expect(problemsOf(text, withAge())).toEqual([
      [
        4,
        expect.stringMatching(/the filters of buyer "Acme", which stay, do not suit them\. .*age/),
      ],
    ]);
  });
});

describe('a plan', () => {
  const stepped = (text: string, account: Account, by = options) =>
    stepsOf(planOf(fileOf(text), account, by), by).map(({ action, input }) => [action, input]);

  it('changes what the file names; of caps what is not there is taken away', () => {
    const text = yaml(
      'campaigns:',
      '  - name: Auto',
      '    caps: { daily_cap: 6 }',
      '    buyers: [{ buyer: Acme, price: 25 }]',
    );
    const plan = planOf(fileOf(text), withAge());
    expect(plan.differences).toMatchObject([
      {
        ...{ kind: 'campaign', name: 'Auto', isNew: false },
        changes: [
          { path: 'caps.daily_cap', from: 5, to: 6 },
          { path: 'caps.total_cap', from: 9, to: null },
        ],
      },
    ]);
    expect(plan.leftOut).toEqual([{ kind: 'buyer', name: 'Acme' }]);
    expect(stepped(text, withAge())).toEqual([
      ['update_campaign', { daily_cap: 6, total_cap: null }],
    ]);
  });

  it('takes a field away after the filters that asked for it, and activates last', () => {
    const text = yaml(
      'campaigns:',
      '  - name: Auto',
      '    status: ACTIVE',
      '    fields: [{ name: plan, type: String }]',
      '    filters: [{ field: plan, operator: "==", value: x }]',
      '    buyers: [{ buyer: Acme, filters: null }]',
    );
    expect(
      stepped(text, withAge()).map(([action, input]) => [action, JSON.stringify(input)]),
    ).toEqual([
      ['update_field_mapping', expect.stringMatching(/"plan".*"age"/)],
      ['update_inbound_filters', expect.stringContaining('"plan"')],
      ['update_campaign_buyer', '{"filters":null}'],
      ['update_field_mapping', expect.not.stringContaining('"age"')],
      ['update_campaign', '{"status":"ACTIVE"}'],
    ]);
  });

  it('keeps the value of a header that is there, unless it is to be set', () => {
    const headers = { 'X-Key': '[hidden]' };
    const account = withAge();
    account.buyers = [
      {
        id: 'b',
        name: 'Acme',
        terms: { delivery: { ...delivery({ url: 'https://a.example' }), headers } },
      },
    ];
    const text = yaml('buyers:', '  - name: Acme', '    delivery: { headers: { x-key: secret } }');
    expect(stepped(text, account)).toEqual([]);
    expect(stepped(text, account, { withHeaders: true })).toEqual([
      ['set_buyer_delivery', { headers: { 'x-key': 'secret' } }],
    ]);
    const more = text.replace('secret }', 'secret, x-more: other }');
    expect(stepped(more, account)).toEqual([
      ['set_buyer_delivery', { headers: { 'x-key': '[hidden]', 'x-more': 'other' } }],
    ]);
    expect(JSON.stringify(planOf(fileOf(more), account).differences[0]?.changes)).not.toContain(
      'other',
    );
  });
});
