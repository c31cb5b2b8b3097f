/** The faults of a file, and the changes that it would make. */
import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../cli/accountFile/model.js';
import { createChangeSet } from '../../../cli/accountFile/changeSet.js';
import { readFile } from '../../../cli/accountFile/readFile.js';
import { stepsOf } from '../../../cli/accountFile/steps.js';
import { pingSettingsView } from '../../../src/account/campaigns/pingSettings.js';
import { mergeFields } from '../../../src/account/plans/compilePlan.js';
import { checkFilterInput } from '../../../src/account/campaigns/targeting.js';

import { age, delivery, EMPTY, fileOf, options, planOf } from './accounts.js';

const problemsOf = (text: string, account = EMPTY) => {
  const read = readFile(text);
  if (!read.ok)
    return read.problems.map(({ line, path, message }) => [line, path.join('.') + message]);
  const planned = createChangeSet(read.file, account, options);
  if (planned.ok) return [];
  return planned.problems
    .map(({ path, message }): [number, string] => [read.lineOf(path), path.join('.') + message])
    .toSorted(([a], [b]) => a - b);
};

const yaml = (...lines: string[]) => ['version: 1', ...lines, ''].join('\n');

it('a number of many digits in a file is the text of its digits', () => {
  const filter = '{ field: click_id, operator: IN, value: [7615917337430043418, 5, 0x10, 1.5] }';
  const read = readFile(
    yaml(
      'campaigns:',
      '  - name: Auto',
      `    filters: { all: [${filter}] }`,
      '    caps: { daily_cap: 12 }',
    ),
  );
  expect(JSON.stringify(read)).toContain('"value":["7615917337430043418",5,16,1.5]');
  expect(JSON.stringify(read)).toContain('"daily_cap":12');
});

/** A campaign as the server stores it, with a buyer whose filters need a field. */
const withAge = (): Account => ({
  buyers: [
    { id: 'b', name: 'Acme', terms: { status: 'active', delivery: delivery({ method: 'STORE' }) } },
  ],
  suppliers: [],
  funnels: [],
  automations: [],
  campaigns: [
    {
      id: 'c',
      name: 'Auto',
      version: 3,
      suppliers: [],
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
  it('reports each with its place, line, and the nearest key or name', () => {
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
      [4, 'buyers.0.delivery.heders is not a key of this input. Did you mean headers?'],
      [9, 'campaigns.0.max_sells must be a number.'],
      [7, 'campaigns.0.daily_cap belongs in caps: caps: { daily_cap: … }'],
      [8, 'campaigns.0.statuss is not a key of this input. Did you mean status?'],
      [10, 'campaigns.1.name is required.'],
    ]);
  });

  it('is checked against the rules of the account before anything is done', () => {
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
      [4, expect.stringMatching(/X-Key has no stored value to keep/)],
      [8, expect.stringMatching(/^campaigns.0.filters: .*agee/)],
      [10, expect.stringContaining('there is no buyer "Acmee"')],
      [11, expect.stringMatching(/states must contain two-letter codes/)],
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

  it('may not remove a field that remaining filters need', () => {
    const text = yaml('campaigns:', '  - name: Auto', '    fields: []');
    expect(problemsOf(text, withAge())).toEqual([
      [
        4,
        expect.stringMatching(
          /the filters of buyer "Acme", which stay unchanged, do not fit them\. .*age/,
        ),
      ],
    ]);
  });
});

describe('a plan', () => {
  const stepped = (text: string, account: Account, by = options) =>
    stepsOf(planOf(fileOf(text), account, by), by).map(({ action, input }) => [action, input]);

  it('changes what the file names, and removes caps that it lacks', () => {
    const text = yaml(
      'campaigns:',
      '  - name: Auto',
      '    caps: { daily_cap: 6 }',
      '    buyers: [{ buyer: Acme, price: 25 }]',
    );
    const changeSet = planOf(fileOf(text), withAge());
    expect(changeSet.differences).toMatchObject([
      {
        kind: 'campaign',
        name: 'Auto',
        isNew: false,
        changes: [
          { path: 'caps.daily_cap', from: 5, to: 6 },
          { path: 'caps.total_cap', from: 9, to: null },
        ],
      },
    ]);
    expect(changeSet.leftOut).toEqual([{ kind: 'buyer', name: 'Acme' }]);
    expect(stepped(text, withAge())).toEqual([
      ['update_campaign', { daily_cap: 6, total_cap: null }],
    ]);
  });

  it('changes caps of weekdays as a whole, and no others than the file has', () => {
    const ofDays = (days: string) =>
      yaml(
        'campaigns:',
        '  - name: Auto',
        `    caps: { daily_cap: 5, total_cap: 9, daily_caps: ${days} }`,
      );
    const account = withAge();
    expect(stepped(ofDays('{ mon: 40, sun: 0 }'), account)).toEqual([
      ['update_campaign', { daily_caps: { mon: 40, sun: 0 } }],
    ]);
    expect(stepped(ofDays('{}'), account)).toEqual([]);
    expect(stepped(ofDays('{ mon: null }'), account)).toEqual([]);
    const [auto] = account.campaigns;
    Object.assign(auto?.terms.caps ?? {}, { daily_caps: { sun: 0, mon: 40 } });
    expect(stepped(ofDays('{ mon: 40, tue: null, sun: 0 }'), account)).toEqual([]);
    expect(stepped(ofDays('{ mon: 41, sun: 0 }'), account)).toEqual([
      ['update_campaign', { daily_caps: { mon: 41, sun: 0 } }],
    ]);
    expect(stepped(ofDays('null'), account)).toEqual([['update_campaign', { daily_caps: null }]]);
  });

  it('removes a field after the filters that need it, and activates last', () => {
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

  it('sets ping settings of campaigns and buyers, and skips those that are already set', () => {
    const text = yaml(
      'buyers:',
      '  - name: Acme',
      '    ping: { url: "https://a.example/ping", fields: [age], headers: { X-Key: secret } }',
      'campaigns:',
      '  - name: Auto',
      '    routing_method: PING_POST',
      '    ping: { margin: { percent: 15 }, min_bid: 5, reveal_buyers: null }',
      '    buyers: [{ buyer: Acme, margin: { fixed: 2 } }]',
      '  - name: New',
      '    ping: { deadline_ms: 900 }',
    );
    const ping = { url: 'https://a.example/ping', fields: ['age'], headers: { 'X-Key': 'secret' } };
    expect(stepped(text, withAge())).toEqual([
      ['create_campaign', { name: 'New' }],
      ['configure_ping_post', { deadline_ms: 900 }],
      ['set_buyer_ping', ping],
      ['update_campaign', { routing_method: 'PING_POST' }],
      ['configure_ping_post', { margin: { percent: 15 }, min_bid: 5, reveal_buyers: null }],
      ['update_campaign_buyer', { margin: { fixed: 2 } }],
    ]);
    const account = withAge();
    const [buyer, campaign] = [account.buyers[0], account.campaigns[0]];
    if (!buyer || !campaign) throw new Error('There is nobody.');
    const shown = { enabled: true, timeout_ms: 500, response: { price_path: 'offer' } };
    const asked = { ...ping, ...shown, headers: { 'X-Key': '[hidden]' } };
    account.buyers = [{ ...buyer, terms: { ...buyer.terms, ping: asked } }];
    const settings = { ...pingSettingsView(), margin: { percent: 15 }, min_bid: 5 };
    const terms = { ...campaign.terms, routing_method: 'PING_POST', ping: settings };
    const links = [{ name: 'Acme', terms: { margin: { fixed: 2 } } }];
    account.campaigns = [
      { ...campaign, terms, buyers: links },
      {
        id: 'n',
        name: 'New',
        version: 1,
        buyers: [],
        suppliers: [],
        terms: { ping: { ...settings, deadline_ms: 900 } },
      },
    ];
    expect(stepped(text, account)).toEqual([]);
    expect(stepped(text.replace('fields: [age]', 'response: null'), account)).toEqual([
      ['set_buyer_ping', expect.objectContaining({ response: null })],
    ]);
  });

  it('reports problems of ping settings before anything is done', () => {
    const text = yaml(
      'buyers:',
      '  - name: Acme',
      '    ping: { url: "https://a.example", fields: [agee] }',
      'campaigns:',
      '  - name: Auto',
      '    ping: { margin: { percent: 101 }, min_bid: 9, max_bid: 8 }',
      '    buyers: [{ buyer: Acme, margin: { percent: 1, fixed: 1 } }]',
    );
    expect(problemsOf(text, withAge())).toEqual([
      [4, expect.stringMatching(/ping.fields names "agee".* Did you mean age\?/)],
      [7, expect.stringContaining('ping.margin percent must be a number, 0 to 100')],
      [7, expect.stringContaining('ping.max_bid must not be below min_bid, which is 9.')],
      [8, expect.stringContaining('margin must be { "percent": 15 } or { "fixed": 2.5 }')],
    ]);
  });

  it('keeps the value of an existing header, unless it must be set', () => {
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
