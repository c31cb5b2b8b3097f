/** The answers of a visitor are kept while the service cannot accept leads. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import { openSite, someAnswers, type Site } from '../support/visitors.js';

let testbed: Testbed;
let market: Market;
let site: Site;
/** While true, no run can be started for a lead. */
let isDown = false;

beforeAll(async () => {
  testbed = await startTestbed({
    alter: (deps) => ({
      ...deps,
      starter: {
        ...deps.starter,
        startHere: (...group) =>
          isDown ? Promise.reject(new Error('Temporal is away')) : deps.starter.startHere(...group),
      },
    }),
  });
  market = await testbed.market();
  site = await openSite(testbed, testbed.url, market);
});
afterAll(() => testbed.stop());

const consentsOf = () =>
  testbed.collections.consents.find({ funnel_id: site.funnel._id }).sort({ at: 1 }).toArray();

/** The key of a withdrawn lead is freed after the answer. */
const keysAreFree = async () => {
  const withdrawn = (await market.leads()).filter(({ status }) => status === 'WITHDRAWN');
  const held = { lead_id: { $in: withdrawn.map(({ _id }) => _id) } };
  await waitFor(async () => (await testbed.collections.idempotency.countDocuments(held)) === 0, {
    message: 'the keys of withdrawn leads are free',
  });
};

it('shows the page with its answers and one button, which submits them again', async () => {
  const form = { t: site.token(), ...someAnswers({ 'u.utm_source': 'spring' }) };
  isDown = true;
  const page = await site.post(form);
  expect([page.status, page.headers['retry-after']]).toEqual([503, '2']);
  for (const [name, value] of Object.entries(form).filter(([, text]) => text.length > 5))
    expect([name, page.text.includes(value)]).toEqual([name, true]);
  const asked = await site.post(form, { isScript: true });
  expect([asked.status, asked.json]).toEqual([503, { outcome: 'unavailable' }]);
  isDown = false;
  expect((await site.post(form)).end).toBe('thanks');
  expect(await market.leads()).toMatchObject([
    { status: 'WITHDRAWN' },
    { status: 'WITHDRAWN' },
    { status: 'ACCEPTED' },
  ]);
  expect(await consentsOf()).toHaveLength(1);
});

it('accepts answers that were corrected meanwhile, with evidence of their own', async () => {
  const before = await consentsOf();
  const t = site.token();
  const first = someAnswers();
  isDown = true;
  expect((await site.post({ t, ...first })).status).toBe(503);
  isDown = false;
  await keysAreFree();
  const corrected = { ...first, ...someAnswers() };
  expect((await site.post({ t, ...corrected })).end).toBe('thanks');
  const added = (await consentsOf()).slice(before.length);
  expect(added.map(({ answers }) => answers.email)).toEqual([
    first['f.email'],
    corrected['f.email'],
  ]);
  const lead = (await market.leads()).find(({ origin }) => origin?.consent_id === added[1]?._id);
  expect(lead).toMatchObject({ status: 'ACCEPTED', fields: { email: corrected['f.email'] } });
});
