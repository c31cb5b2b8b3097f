/** A submitted page, from the form to the lead, with every failure on the way. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { hashText } from '../../../src/funnels/submit/consent.js';
import { NO } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { startTestbed, type MarketSpec, type Testbed } from '../../support/testbed.js';
import {
  aDefinition,
  CONSENT,
  openVisited,
  postForm,
  someAnswers,
  tokensAt,
  type Site,
} from '../support/visitors.js';

describe('a page of a funnel', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const open = (spec?: MarketSpec, definition?: FunnelDefinition) =>
    openVisited(testbed, spec, definition);
  const consents = (site: Site) =>
    testbed.collections.consents.find({ funnel_id: site.funnel._id }).toArray();

  describe('that is sent once', () => {
    it('becomes a lead that a buyer receives, and the visitor is thanked', async () => {
      const { site, leads, sentTo } = await open();
      const answers = someAnswers({ 'u.utm_source': 'Spring', r: 'https://search.example/?q=1' });
      const answer = await site.post({ t: site.token(), ...answers });
      expect([answer.status, answer.end]).toEqual([303, 'thanks']);
      const [lead, ...others] = await leads();
      expect(others).toEqual([]);
      expect(lead).toMatchObject({
        status: 'ACCEPTED',
        is_test: false,
        fields: { state: 'CA', source: 'owner', first_name: answers['f.first_name'] },
        extra: { utm_source: 'Spring', referrer: 'https://search.example/?q=1' },
        origin: { funnel_id: site.funnel._id, version: 1, source: 'spring' },
      });
      expect(sentTo('only')).toHaveLength(1);
    });

    it('stores evidence of the consent, to which the lead refers', async () => {
      const { site, leads } = await open();
      const answers = someAnswers({ p: 'https://host.example/solar' });
      const began = new Date();
      await site.post(
        { t: site.token(), ...answers },
        { headers: { referer: 'https://f.example/' } },
      );
      const [lead] = await leads();
      const [consent] = await consents(site);
      expect(consent).toEqual({
        _id: lead?.origin?.consent_id,
        org_id: site.funnel.org_id,
        funnel_id: site.funnel._id,
        version: 1,
        campaign_id: site.funnel.campaign_id,
        supplier_id: site.funnel.supplier_id,
        language: 'en',
        text: CONSENT,
        text_hash: hashText(CONSENT),
        purpose: 'Calls about solar',
        sellers: ['Acme Solar'],
        ticked: true,
        at: expect.any(Date),
        ip: expect.stringContaining('127.0.0.1'),
        user_agent: 'A browser',
        page_url: 'https://host.example/solar',
        referrer: null,
        answers: {
          source: 'owner',
          state: 'CA',
          first_name: answers['f.first_name'],
          last_name: answers['f.last_name'],
          phone: answers['f.phone'],
          email: answers['f.email'],
        },
        is_test: false,
        lead_id: lead?._id,
      });
      expect(Number(consent?.at)).toBeGreaterThanOrEqual(Number(began) - 1_000);
    });

    it('is sold by the state of its zip code, which is no answer of the visitor', async () => {
      const form = aDefinition().blocks.at(-1);
      if (form?.type !== 'form') throw new Error('The last step is a form');
      const zip = { name: 'zip_code', label: 'Zip code' };
      const definition = aDefinition({ blocks: [{ ...form, fields: [zip, ...form.fields] }] });
      const buyers = { premier: { price: 42.5, states: ['CA', 'TX'] }, open: { price: 8.25 } };
      const { site, leads, account } = await open({ buyers }, definition);
      const answers = someAnswers({ 'f.zip_code': '90210', 'f.state': '' });
      expect((await site.post({ t: site.token(), ...answers })).end).toBe('thanks');
      const [lead] = await leads();
      expect(lead).toMatchObject({
        status: 'ACCEPTED',
        buyer_id: account.buyers.premier,
        price: 42_500_000,
        fields: { zip_code: '90210', state: 'CA' },
      });
      const [consent] = await consents(site);
      expect(consent?.answers).toMatchObject({ zip_code: '90210' });
      expect(consent?.answers).not.toHaveProperty('state');
    });

    it('is answered in JSON on request of a script', async () => {
      const { site } = await open();
      const answer = await site.post({ t: site.token(), ...someAnswers() }, { isScript: true });
      expect([answer.status, answer.json]).toEqual([
        200,
        { outcome: 'thanks', title: 'Thank you!', text: null, redirect_url: null },
      ]);
    });

    it('shows its own end page when no buyer accepts the lead, or redirects', async () => {
      const spec: MarketSpec = { buyers: { only: { answer: () => NO } } };
      const { site } = await open(spec);
      expect((await site.post({ t: site.token(), ...someAnswers() })).end).toBe('no_buyer');
      const redirect_url = 'https://partner.example/offers';
      const elsewhere = await open(
        spec,
        aDefinition({
          no_buyer: { title: 'Nobody', redirect_url },
          redirect_domains: ['partner.example'],
        }),
      );
      const answer = await elsewhere.site.post({ t: elsewhere.site.token(), ...someAnswers() });
      expect([answer.status, answer.end]).toEqual([303, redirect_url]);
    });

    it('says that it was refused, and never by which rule', async () => {
      const { site, leads } = await open({
        campaign: {
          filters: { all: [{ id: 'texas', field: 'state', operator: 'IN', value: ['TX'] }] },
        },
      });
      const form = { t: site.token(), ...someAnswers() };
      const answer = await site.post(form, { isScript: true });
      expect(answer.json).toMatchObject({ outcome: 'refused' });
      expect(answer.text).not.toMatch(/texas|state|TX/);
      expect((await site.post(form)).end).toBe('refused');
      expect(await leads()).toMatchObject([{ status: 'REJECTED' }]);
    });

    it('stores the source of the visit, truncated, and sets no other field from it', async () => {
      const { site, leads } = await open();
      const definition = aDefinition({ hidden_fields: { zip_code: '94103' } });
      await site.publish(definition);
      await site.post({
        t: site.token(),
        ...someAnswers({
          'u.gclid': 'g'.repeat(2_000),
          'u.click_id': ' c-1 ',
          'u.zip_code': '10001',
          'u.flo_campaign_id': 'another',
          'u.test_lead': 'true',
          'f.credit_score': '800',
          flo_supplier_id: 'another',
        }),
      });
      const [lead] = await leads();
      expect(lead).toMatchObject({ is_test: false, fields: { zip_code: '94103' } });
      expect(lead?.extra).toEqual({ gclid: 'g'.repeat(500), click_id: 'c-1' });
    });

    it('of a preview makes a test lead of the draft', async () => {
      const { site, leads } = await open();
      const draft = aDefinition({ consent: { text: 'Another text.' } });
      await testbed.collections.funnels.updateOne(
        { _id: site.funnel._id },
        { $set: { definition: draft, draft_version: 2, status: 'unpublished' } },
      );
      const token = site.token({ mode: 'preview', agoMs: 0 });
      await site.post({ t: token, ...someAnswers() });
      expect(await leads()).toMatchObject([{ is_test: true, status: 'UNMATCHED' }]);
      expect(await consents(site)).toMatchObject([{ is_test: true, text: 'Another text.' }]);
    });
  });

  describe('with answers that are not accepted', () => {
    it.each([
      ['an answer outside the options', { 'f.source': 'squatter' }, 'owner', 'source'],
      ['a phone of no form', { 'f.phone': '12' }, 'contact', 'phone'],
      ['a required answer that is missing', { 'f.email': ' ' }, 'contact', 'email'],
      ['a box that is not ticked', { consent: '' }, 'contact', 'consent'],
    ] as const)('is shown again for %s, at its step', async (_what, changes, step, field) => {
      const { site, leads } = await open();
      const form = { t: site.token(), ...someAnswers(changes) };
      const asked = await site.post(form, { isScript: true });
      expect(asked.status).toBe(422);
      expect(asked.json).toMatchObject({ outcome: 'faulty', faults: [{ step, field }] });
      const page = await site.post(form);
      expect(page.status).toBe(422);
      expect(page.text).toContain('name="f.last_name"');
      expect(await leads()).toEqual([]);
      expect(await consents(site)).toEqual([]);
      // The same page, corrected.
      const right = await site.post({ ...form, ...someAnswers() });
      expect(right.end).toBe('thanks');
    });

    it('of a branch that does not qualify ends without a lead, whatever else was answered', async () => {
      const { site, leads } = await open();
      const form = { t: site.token(), ...someAnswers({ 'f.source': 'renter', consent: '' }) };
      expect((await site.post(form)).end).toBe('not_qualified:renters');
      expect(await leads()).toEqual([]);
      expect(await consents(site)).toEqual([]);
    });

    it('drops the answers on a step that a later answer skips', async () => {
      const { site, leads } = await open();
      // Back at the first question, the visitor chose another answer, which skips the second one.
      await site.post({ t: site.token(), ...someAnswers({ 'f.source': 'buyer' }) });
      const [lead] = await leads();
      expect(lead?.fields).not.toHaveProperty('state');
    });

    it('shows typed markup as text, and stores it as it is seen', async () => {
      const { site, leads } = await open();
      const typed = '"><script>alert(1)</script>';
      const sent = `${typed}\u202e`;
      const form = { t: site.token(), ...someAnswers({ 'f.first_name': sent, consent: '' }) };
      const { text } = await site.post(form);
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&#60;script&#62;alert(1)');
      expect((await site.post({ ...form, consent: 'yes' })).end).toBe('thanks');
      expect(await leads()).toMatchObject([{ fields: { first_name: typed } }]);
    });

    it('of 10 MB is refused without being read', async () => {
      const { site } = await open();
      const address = `${testbed.url}/f/${site.funnel.slug}`;
      const sent = request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.alloc(10 * 1024 * 1024, 'a'),
      }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        // The server closes the connection while the client still sends.
        () => 413,
      );
      expect(await sent).toBe(413);
      const other = await request(address, { method: 'POST', body: '{}' });
      expect(other.statusCode).toBe(415);
      await other.body.dump();
    });

    it('without a valid token is shown again with a new one', async () => {
      const { site, leads } = await open();
      const answer = await site.post({ t: 'forged', ...someAnswers() }, { isScript: true });
      expect(answer).toMatchObject({ status: 422, json: { outcome: 'expired' } });
      expect(tokensAt(0).readToken(String(answer.json.token))).toMatchObject({ kind: 'valid' });
      expect(await leads()).toEqual([]);
      const nowhere = await postForm(`${testbed.url}/f/no-such-site`, { t: site.token() });
      expect([nowhere.status, nowhere.headers['content-type']]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
    });
  });

  it('leaves leads whose decision replays identically', async () => {
    const { site } = await open();
    await site.post({ t: site.token(), ...someAnswers({ website: 'spam' }) });
    await site.post({ t: site.token(), ...someAnswers() });
    expect(await replayAll(testbed.collections)).toMatchObject({ different: [] });
  });
});
