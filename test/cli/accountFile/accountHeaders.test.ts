/** Header values in a file whose address moves to another origin. */
import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../cli/accountFile/model.js';
import { createChangeSet } from '../../../cli/accountFile/changeSet.js';
import { stepsOf } from '../../../cli/accountFile/steps.js';
import { delivery, fileOf, options, planOf } from './accounts.js';

const headers = { 'X-Key': '[hidden]' };
const URL = 'https://a.example/in';
const asked = { enabled: true, url: URL, timeout_ms: 500, fields: [], response: null };

/** A buyer whose leads, pings and leads of one campaign go to one origin, each with a header. */
const account: Account = {
  funnels: [],
  automations: [],
  buyers: [
    {
      id: 'b',
      name: 'Acme',
      terms: { delivery: { ...delivery({ url: URL }), headers }, ping: { ...asked, headers } },
    },
  ],
  suppliers: [],
  campaigns: [
    {
      id: 'c',
      name: 'Auto',
      version: 3,
      terms: {},
      suppliers: [],
      buyers: [{ name: 'Acme', terms: { price: 5, delivery: { method: 'WEBHOOK', headers } } }],
    },
  ],
};

const OF = {
  delivery: (text: string) => `buyers: [{ name: Acme, delivery: { ${text} } }]`,
  ping: (text: string) => `buyers: [{ name: Acme, ping: { ${text} } }]`,
  link: (text: string) =>
    `campaigns: [{ name: Auto, buyers: [{ buyer: Acme, delivery: { ${text} } }] }]`,
};
const fileWith = (kind: keyof typeof OF, text: string) => fileOf(`version: 1\n${OF[kind](text)}\n`);
/** The input of the only step. */
const sent = (kind: keyof typeof OF, text: string) => {
  const [step] = stepsOf(planOf(fileWith(kind, text), account), options);
  return kind === 'link' ? step?.input.delivery : step?.input;
};

describe.each(Object.keys(OF) as (keyof typeof OF)[])('header values of a %s in a file', (kind) => {
  it('are sent with an address at another origin, although values exist', () => {
    const moved = 'url: "https://b.example/in", headers: { x-key: secret }';
    expect(sent(kind, moved)).toMatchObject({
      url: 'https://b.example/in',
      headers: { 'x-key': 'secret' },
    });
  });

  it('are faults where they are missing or hidden and the address is at another origin', () => {
    for (const rest of ['', ', headers: { x-key: "[hidden]" }']) {
      const file = fileWith(kind, `url: "https://b.example/in"${rest}`);
      expect(createChangeSet(file, account, options)).toMatchObject({
        problems: [{ message: expect.stringContaining('the address changed to another origin') }],
      });
    }
  });

  it('that exist are kept at the same origin', () => {
    const near = 'url: "https://a.example/new", headers: { x-key: "[hidden]" }';
    expect(sent(kind, near)).toMatchObject({ headers: { 'x-key': '[hidden]' } });
  });
});
