/** Drafts of funnels, and the part that visitors see. */
import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuyer } from '../../src/account/buyers/buyers.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { linkBuyer } from '../../src/account/links/buyerLinks.js';
import {
  createFunnel,
  deleteFunnel,
  findFunnel,
  getWholeFunnel,
  updateFunnel,
  type FunnelChanges,
} from '../../src/funnels/funnels.js';
import { publishFunnel, unpublishFunnel } from '../../src/funnels/publish.js';
import type { FunnelDefinition } from '../../src/funnels/rules/definition.js';
import type { FunnelDoc } from '../../src/funnels/store/funnelDocs.js';
import { refusal } from '../account/values.js';
import { openDatabase } from '../support/database.js';
import { aPng } from '../support/images.js';
import { ADA, funnelContext, funnelPlace } from './place.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const place = () => funnelPlace(database.collections);
const of = (orgId: string) => funnelContext(database.collections, orgId);
const change = ({ org_id, _id }: FunnelDoc, changes: FunnelChanges) =>
  updateFunnel(of(org_id), _id, changes);
const publish = ({ org_id, _id }: FunnelDoc) => publishFunnel(of(org_id), _id, ADA);
const unpublish = ({ org_id, _id }: FunnelDoc) => unpublishFunnel(of(org_id), _id);
const remove = ({ org_id, _id }: FunnelDoc) => deleteFunnel(of(org_id), _id);
const now = ({ org_id, _id }: FunnelDoc) => findFunnel(of(org_id), _id);
const versionsOf = ({ _id }: FunnelDoc) =>
  database.collections.funnelVersions.find({ funnel_id: _id }).sort({ version: 1 }).toArray();

const titled = (definition: FunnelDefinition, title: string) => ({ ...definition, title });
const pictured = (definition: FunnelDefinition, logoUrl: string) => ({
  ...definition,
  theme: { ...definition.theme, logoUrl },
});
const dataOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

describe('a new funnel', () => {
  it('is a draft that can be published as it is, under a name and an address of its own', async () => {
    const { draft } = await place();
    const [first, second] = [await draft(), await draft()];
    expect(first).toMatchObject({ status: 'draft', draft_version: 1, published_version: null });
    expect(first.slug).toMatch(/^loans-[0-9a-f]+-lead-form$/);
    expect(second.name).toBe(`${first.name} 2`);
    expect(second.slug).not.toBe(first.slug);
    expect(await publish(first)).toMatchObject({ version: 1, funnel: { status: 'published' } });
  });

  it('is refused an address that another funnel has, or a name that another one of the organization has', async () => {
    const [here, elsewhere] = [await place(), await place()];
    const slug = `solar-${randomUUID()}`;
    await here.draft({ name: 'Solar', slug });
    await expect(elsewhere.draft({ slug: slug.toUpperCase() })).rejects.toMatchObject(
      refusal('slug', 'is taken'),
    );
    await expect(here.draft({ name: 'Solar' })).rejects.toMatchObject(
      refusal('name', 'already named "Solar"'),
    );
    expect(await elsewhere.draft({ name: 'Solar' })).toMatchObject({ name: 'Solar' });
  });

  it.each(['', '-solar', 'so lar', 'a/b', 'preview', 'x'.repeat(61)])(
    'is refused the address "%s"',
    async (slug) => {
      const { draft } = await place();
      await expect(draft({ slug })).rejects.toMatchObject(refusal('slug', 'must'));
    },
  );

  it('needs a supplier of the campaign', async () => {
    const [{ orgId, linked }, other] = [await place(), await place()];
    const made = (supplier_id: string) =>
      createFunnel(of(orgId), { template: 'quiz', ...linked, supplier_id });
    await expect(made(other.linked.supplier_id)).rejects.toMatchObject({ code: 'not_found' });
    await database.collections.campaignSuppliers.deleteMany({ org_id: orgId });
    await expect(made(linked.supplier_id)).rejects.toMatchObject(
      refusal('supplier_id', 'add_supplier_to_campaign'),
    );
  });
});

describe('the draft of a funnel', () => {
  it('stores each image once, accepts it by name, and returns it as it was sent', async () => {
    const { draft, orgId } = await place();
    const funnel = await draft();
    const picture = dataOf(aPng(20, 10));
    await change(funnel, { definition: pictured(funnel.definition, picture) });
    const stored = await now(funnel);
    expect(stored.definition.theme.logoUrl).toMatch(/^asset:[0-9a-f]{64}$/);
    await change(funnel, { definition: titled(stored.definition, 'Again') });
    expect(await database.collections.funnelAssets.countDocuments({ org_id: orgId })).toBe(1);
    const shown = await getWholeFunnel(of(orgId), funnel._id);
    expect(shown.definition).toEqual(titled(pictured(funnel.definition, picture), 'Again'));
  });

  it('is refused an invalid, damaged or too large image, with its place', async () => {
    const funnel = await (await place()).draft();
    const put = (bytes: Buffer) =>
      change(funnel, { definition: pictured(funnel.definition, dataOf(bytes)) });
    const at = 'definition.theme.logoUrl';
    await expect(put(Buffer.from('no picture'))).rejects.toMatchObject(refusal(at, 'PNG or JPEG'));
    await expect(put(aPng(2_001, 1))).rejects.toMatchObject(refusal(at, '2001 × 1'));
    await expect(put(aPng(9, 9, 200_001))).rejects.toMatchObject(refusal(at, '200000 bytes'));
    await expect(put(aPng(9, 9).subarray(0, 12))).rejects.toMatchObject(refusal(at, 'damaged'));
    const unknown = { definition: pictured(funnel.definition, `asset:${'0'.repeat(64)}`) };
    await expect(change(funnel, unknown)).rejects.toMatchObject(refusal(at, 'sent before'));
    expect((await now(funnel)).draft_version).toBe(1);
  });

  it('has a new version for each change, and none for a repetition', async () => {
    const funnel = await (await place()).draft();
    const definition = titled(funnel.definition, 'Other');
    expect((await change(funnel, { definition })).funnel.draft_version).toBe(2);
    expect((await change(funnel, { definition })).funnel.draft_version).toBe(2);
    expect((await change(funnel, { name: 'Named anew' })).funnel).toMatchObject({
      draft_version: 2,
      name: 'Named anew',
    });
  });

  it('accepts one of several changes from the same version, and all changes that name none', async () => {
    const funnel = await (await place()).draft();
    const from = await Promise.allSettled(
      ['a', 'b', 'c'].map((title) =>
        change(funnel, { definition: titled(funnel.definition, title), expected_version: 1 }),
      ),
    );
    expect(from.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of from)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'version_conflict' });
    const changes = ['d', 'e', 'f'].map((title) =>
      change(funnel, { definition: titled(funnel.definition, title) }),
    );
    await Promise.all(changes);
    expect((await now(funnel)).draft_version).toBe(5);
  });

  it('is refused a field that the campaign does not have, by its place', async () => {
    const funnel = await (await place()).draft();
    const { blocks } = funnel.definition;
    const at = blocks.findIndex(({ type }) => type === 'form');
    const asking = blocks.map((block) =>
      block.type === 'form'
        ? { ...block, fields: [...block.fields, { name: 'unheard_of', label: 'What?' }] }
        : block,
    );
    const fields = blocks[at]?.type === 'form' ? blocks[at].fields.length : 0;
    await expect(
      change(funnel, { definition: { ...funnel.definition, blocks: asking } }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      extras: {
        field_errors: [{ field: `definition.blocks[${at}].fields[${fields}].name` }],
      },
    });
  });

  it('has the defaults of newer releases where an older one stored it', async () => {
    const funnel = await (await place()).draft();
    await database.collections.funnels.updateOne(
      { _id: funnel._id },
      { $unset: { 'definition.protection': '', 'definition.theme.radius': '' } },
    );
    const { definition } = await now(funnel);
    expect(definition.protection).toEqual({ submissions_per_minute: 60 });
    expect(definition.theme.radius).toBe(8);
  });
});

describe('publishing', () => {
  it('keeps each version as it was, and makes none for a draft that is published already', async () => {
    const funnel = await (await place()).draft();
    expect((await publish(funnel)).version).toBe(1);
    expect((await publish(funnel)).version).toBe(1);
    await change(funnel, { definition: titled(funnel.definition, 'Second') });
    expect((await publish(funnel)).version).toBe(2);
    const versions = await versionsOf(funnel);
    expect(versions.map(({ definition }) => definition.title)).toEqual([
      funnel.definition.title,
      'Second',
    ]);
    expect(versions[1]).toMatchObject({ version: 2, published_by: ADA });
  });

  it('concurrently makes one version, which all callers get', async () => {
    const funnel = await (await place()).draft();
    const all = await Promise.all(Array.from({ length: 6 }, () => publish(funnel)));
    const { published_version } = await now(funnel);
    expect(new Set(all.map(({ version }) => version))).toEqual(new Set([published_version]));
  });

  it('skips a number that a killed process had taken', async () => {
    const funnel = await (await place()).draft();
    await publish(funnel);
    const [first] = await versionsOf(funnel);
    if (!first) throw new Error('There is no version');
    await database.collections.funnelVersions.insertOne({
      ...first,
      _id: `${funnel._id}:2`,
      version: 2,
    });
    await change(funnel, { definition: titled(funnel.definition, 'Third') });
    expect((await publish(funnel)).version).toBe(3);
  });

  it('is refused when the campaign has changed since, naming what does not fit', async () => {
    const { draft, orgId, linked, loan } = await place();
    const funnel = await draft();
    await updateCampaign(accountOf(database, orgId), linked.campaign_id, {
      fields: [loan, { ...loan, name: 'vehicle_year', required: true }],
    });
    await expect(publish(funnel)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('vehicle_year'),
    });
    expect((await now(funnel)).status).toBe('draft');
  });

  it('ends with unpublishing, and begins again with the same version', async () => {
    const funnel = await (await place()).draft();
    await expect(unpublish(funnel)).rejects.toMatchObject({ code: 'action_refused' });
    await publish(funnel);
    expect(await unpublish(funnel)).toMatchObject({ status: 'unpublished', published_version: 1 });
    expect(await unpublish(funnel)).toMatchObject({ status: 'unpublished' });
    expect(await publish(funnel)).toMatchObject({ version: 1, funnel: { status: 'published' } });
  });

  it('fixes the address, until it is taken offline', async () => {
    const funnel = await (await place()).draft();
    await publish(funnel);
    const slug = `other-${randomUUID()}`;
    await expect(change(funnel, { slug })).rejects.toMatchObject(refusal('slug', 'Unpublish'));
    await unpublish(funnel);
    expect((await change(funnel, { slug })).funnel.slug).toBe(slug);
  });

  it('warns that visitors see nothing while the campaign or the supplier is paused', async () => {
    const { draft, orgId, linked } = await place();
    const funnel = await draft();
    await updateCampaign(accountOf(database, orgId), linked.campaign_id, { status: 'PAUSED' });
    expect((await publish(funnel)).warnings).toContainEqual(expect.stringContaining('PAUSED'));
  });
});

describe('a field that a link of the campaign needs', () => {
  it('is warned of when the funnel is created, changed and published without it', async () => {
    const { collections } = database;
    const { orgId, linked } = await place();
    const delivery = { url: 'https://buyer.example/leads' };
    const { buyer } = await createBuyer(accountOf({ collections }, orgId), {
      name: 'Premier',
      delivery,
    });
    const link = { org_id: orgId, campaign_id: linked.campaign_id, buyer_id: buyer._id };
    await linkBuyer(accountOf({ collections }, link.org_id), link, { price: 42.5, states: ['CA'] });
    const wanted = { template: 'lead_form', ...linked } as const;
    const { funnel, warnings } = await createFunnel(of(orgId), wanted);
    const warning = expect.stringMatching(/asks no state, .* Premier .*zip_code/) as unknown;
    expect(warnings).toContainEqual(warning);
    const { definition } = funnel;
    const changed = await change(funnel, { definition: titled(definition, 'Other') });
    expect(changed.warnings).toContainEqual(warning);
    expect((await publish(funnel)).warnings).toContainEqual(warning);
    await change(funnel, { definition: { ...definition, hidden_fields: { zip_code: '90210' } } });
    expect((await publish(funnel)).warnings).not.toContainEqual(warning);
    const quiz = await createFunnel(of(orgId), { ...wanted, template: 'quiz' });
    expect(quiz.warnings).not.toContainEqual(warning);
  });
});

describe('the embed code of a published funnel', () => {
  it('has a warning, which says how to change it, while no page may embed the funnel', async () => {
    const funnel = await (await place()).draft();
    const warning = expect.stringMatching(/^definition\.embed\.domains .*update_funnel/) as unknown;
    expect((await publish(funnel)).warnings).toContainEqual(warning);
    const definition = { ...funnel.definition, embed: { domains: ['www.example.com'] } };
    await change(funnel, { definition });
    expect((await publish(funnel)).warnings).not.toContainEqual(warning);
  });
});

describe('deleting a funnel', () => {
  it('is refused while it is published, and keeps its versions', async () => {
    const funnel = await (await place()).draft();
    await publish(funnel);
    await expect(remove(funnel)).rejects.toMatchObject({
      code: 'action_refused',
      message: expect.stringContaining('unpublish_funnel'),
    });
    await unpublish(funnel);
    await remove(funnel);
    await expect(now(funnel)).rejects.toMatchObject({ code: 'not_found' });
    expect(await versionsOf(funnel)).toHaveLength(1);
  });
});
