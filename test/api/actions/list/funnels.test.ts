/** Funnels created through the Actions API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FunnelDefinition } from '../../../../src/funnels/rules/definition.js';
import { aPng } from '../../../support/images.js';
import { aLead } from '../../../support/storedRows.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';

interface Funnel extends Row {
  slug: string;
  definition: FunnelDefinition;
  warnings: string[];
}

describe('funnels', () => {
  let api: ActionsApi;
  let org: Org;
  let other: Org;
  const another = async () => (other = await api.org());
  let place: { campaign_id: string; supplier_id: string };
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const { campaign, supplier } = await setUp(api, org);
    place = { campaign_id: campaign.id, supplier_id: supplier.id };
  });
  afterAll(() => api.stop());

  const create = (more: object = {}) =>
    api.done<Funnel>(org, 'create_funnel', { template: 'lead_form', ...place, ...more });
  const update = async ({ id }: Row, changes: object) =>
    api.call(await org.sharedKey(), 'update_funnel', { funnel_id: id, ...changes });

  it('begin from four templates in two languages', async () => {
    const templates = await api.done<{ name: string; languages: string[] }[]>(
      org,
      'list_funnel_templates',
    );
    expect(templates.map(({ name }) => name)).toEqual(['lead_form', 'quiz', 'appointment', 'vsl']);
    for (const { name, languages } of templates)
      for (const language of languages) {
        const { definition } = await create({ template: name, language });
        expect(definition.language).toBe(language);
      }
  });

  it('are created with the warnings that remain, such as that the campaign has no field for a time', async () => {
    const { warnings } = await create({ template: 'appointment' });
    expect(warnings).toEqual([
      expect.stringContaining('privacy policy'),
      expect.stringContaining('The campaign has no field for the date or the time'),
    ]);
  });

  it('keep their definition where it comes as null, which is absent', async () => {
    const made = await create();
    const { status, json } = await update(made, { definition: null, name: `New ${made.id}` });
    expect([status, json?.data]).toMatchObject([
      200,
      { name: `New ${made.id}`, definition: made.definition },
    ]);
  });

  it('go from a template to a live address and one line to embed', async () => {
    const made = await create({ name: 'Spring', slug: 'spring-quote' });
    expect(made).toMatchObject({
      status: 'draft',
      version: 1,
      live_url: null,
      preview_url: `https://forms.example/f/preview/${made.id}?token=token-of-${made.id}`,
    });
    const { status, json } = await update(made, {
      definition: { ...made.definition, title: 'Your quote' },
      expectedVersion: 1,
    });
    expect([status, json?.data]).toMatchObject([200, { version: 2, warnings: expect.any(Array) }]);
    const published = await api.done(org, 'publish_funnel', { funnel_id: made.id });
    expect(published).toMatchObject({
      status: 'published',
      published_version: 1,
      has_unpublished_changes: false,
      live_url: 'https://forms.example/f/spring-quote',
      embed_code:
        '<script src="https://forms.example/f/embed.js" data-funnel="spring-quote" async></script>',
    });
    expect(await api.done(org, 'list_funnels', { status: 'published' })).toMatchObject([
      { id: made.id, campaign: { name: 'Auto' }, supplier: { name: 'Search' } },
    ]);
    await api.done(org, 'unpublish_funnel', { funnel_id: made.id });
    expect(await api.done(org, 'delete_funnel', { funnel_id: made.id })).toEqual({
      id: made.id,
      deleted: true,
    });
  });

  it('accept a definition with camelCase keys, and null for absent values', async () => {
    const made = await create();
    const { blocks, redirect_domains, ...rest } = made.definition;
    expect(redirect_domains).toEqual([]);
    const head = { id: 'head2', type: 'hero', title: 'Hello', imageAlt: 'A house', subtitle: null };
    const { status, json } = await update(made, {
      definition: { ...rest, redirectDomains: ['example.com'], blocks: [head, ...blocks] },
    });
    expect([status, json?.message]).toEqual([200, undefined]);
    expect((json?.data as Funnel).definition.blocks[0]).toEqual({
      id: 'head2',
      type: 'hero',
      title: 'Hello',
      image_alt: 'A house',
    });
  });

  it('are refused a definition with every fault, each with its place', async () => {
    const made = await create();
    const { status, json } = await update(made, {
      definition: {
        ...made.definition,
        title: '',
        blocks: made.definition.blocks.map((block) =>
          block.type === 'form' ? { ...block, fields: [{ name: 'phone' }] } : block,
        ),
      },
    });
    const at = made.definition.blocks.findIndex(({ type }) => type === 'form');
    expect(status).toBe(422);
    expect((json?.details as { path: string }[]).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['definition.title', `definition.blocks[${at}].fields[0].label`]),
    );
    expect(await api.done(org, 'get_funnel', { funnel_id: made.id })).toMatchObject({ version: 1 });
  });

  it('refuse a change of their campaign that they do not suit while they are published', async () => {
    const { campaign, supplier } = await setUp(api, await another());
    const made = await api.done<Funnel>(other, 'create_funnel', {
      template: 'lead_form',
      campaign_id: campaign.id,
      supplier_id: supplier.id,
      name: 'Guarded',
    });
    await api.done(other, 'publish_funnel', { funnel_id: made.id });
    const needed = [{ name: 'vehicle_year', type: 'Number', required: true }];
    const add = async () =>
      api.call(await other.sharedKey(), 'add_campaign_fields', {
        campaign_id: campaign.id,
        fields: needed,
      });
    const { status, json } = await add();
    expect(status).toBe(422);
    expect(json?.message).toContain('"Guarded"');
    expect(json?.message).toContain('vehicle_year');
    const optional = [{ name: 'note', type: 'String' }];
    await api.done(other, 'add_campaign_fields', { campaign_id: campaign.id, fields: optional });
    await api.done(other, 'unpublish_funnel', { funnel_id: made.id });
    expect((await add()).status).toBe(200);
  });

  it('refuse to revert their campaign to a version that they do not suit', async () => {
    const { campaign, supplier } = await setUp(api, await another());
    const campaign_id = campaign.id;
    const fields = (required: boolean) => [{ name: 'age', type: 'Number', required }];
    await api.done(other, 'update_field_mapping', { campaign_id, fields: fields(true) });
    const { version } = await api.done<Row>(other, 'get_campaign', { campaign_id });
    await api.done(other, 'update_field_mapping', { campaign_id, fields: [] });
    const made = await api.done<Funnel>(other, 'create_funnel', {
      template: 'lead_form',
      campaign_id,
      supplier_id: supplier.id,
    });
    await api.done(other, 'publish_funnel', { funnel_id: made.id });
    const back = await api.call(await other.sharedKey(), 'revert_plan', { campaign_id, version });
    expect(back.status).toBe(422);
    expect(back.json?.message).toContain(made.id);
  });

  it('return images by name, and complete on request', async () => {
    const made = await create();
    const logoUrl = `data:image/png;base64,${aPng(8, 8).toString('base64')}`;
    const theme = { ...made.definition.theme, logoUrl };
    const { json } = await update(made, { definition: { ...made.definition, theme } });
    expect((json?.data as Funnel).definition.theme.logoUrl).toMatch(/^asset:[0-9a-f]{64}$/);
    const whole = await api.done<Funnel>(org, 'get_funnel', { funnel_id: made.id, pictures: true });
    expect(whole.definition.theme.logoUrl).toBe(logoUrl);
    const audit = JSON.stringify(await api.collections.audit.find().toArray());
    expect(audit).not.toContain(logoUrl);
  });

  it('show their preview only to keys that may change them', async () => {
    const { id } = await create();
    const { json } = await api.call(await org.sharedKey(['funnels:read']), 'get_funnel', {
      funnel_id: id,
    });
    expect(json?.data).toMatchObject({ id, preview_url: null });
  });

  it('store the consent of each visitor, by lead', async () => {
    const { id } = await create();
    const origin = { funnel_id: id, version: 1, consent_id: randomUUID(), source: 'direct' };
    const [lead, own] = [aLead({ org_id: org.id, origin }), aLead({ org_id: org.id })];
    await api.collections.leads.insertMany([lead, own]);
    await api.collections.consents.insertOne({
      _id: origin.consent_id,
      org_id: org.id,
      funnel_id: id,
      version: 1,
      ...place,
      language: 'en',
      text: 'I agree to calls.',
      text_hash: 'a'.repeat(64),
      purpose: null,
      sellers: ['Acme'],
      ticked: true,
      at: new Date('2026-11-20T10:00:00Z'),
      ip: '192.0.2.7',
      user_agent: 'A browser',
      page_url: 'https://host.example/page',
      referrer: null,
      answers: { phone: '(415) 555-0134' },
      is_test: false,
    });
    const shown = await api.done(org, 'get_consent_record', { lead_id: lead._id });
    expect(shown).toMatchObject({
      id: origin.consent_id,
      lead_id: lead._id,
      text: 'I agree to calls.',
      ticked: true,
      at: '2026-11-20T10:00:00.000Z',
      jornaya_leadid: null,
    });
    const reads = await api.done<Row[]>(org, 'list_audit', { of: 'reads' });
    expect(reads[0]).toMatchObject({ action: 'get_consent_record', input: { lead_id: lead._id } });
    const without = await api.call(await org.sharedKey(), 'get_consent_record', {
      lead_id: own._id,
    });
    expect([without.status, without.json?.error]).toEqual([400, 'record_not_found']);
  });
});
