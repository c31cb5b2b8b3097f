/** An assistant's path: from the published schema to a published funnel, and the errors it gets on the way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { SYSTEM_FIELDS } from '../../../src/fields/systemFields.js';
import type { JsonObject } from '../../../src/lib/jsonSchema.js';
import { BREAKS, copyOf } from '../../funnels/rules/breaks.js';
import { BRIEFS } from '../../funnels/rules/briefs.js';
import type { Brief } from '../../funnels/rules/mapping.js';
import { send } from '../../support/http.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
let org: Org;
/** Whether a definition fits the published schema. */
let accepts: ValidateFunction;
beforeAll(async () => {
  const funnels = {
    url: () => 'https://forms.example',
    ownOrigin: false,
    issuePreview: (funnelId: string) => `token-of-${funnelId}`,
  };
  api = await startActionsApi({ funnels });
  org = await api.org();
  accepts = new Ajv2020({ strict: false }).compile(await publishedSchema());
});
afterAll(() => api.stop());

/** A draft for the campaign of a brief. */
async function draftFor({ title, fields }: Brief): Promise<string> {
  const own = fields.filter((rule) => !SYSTEM_FIELDS.includes(rule));
  const campaign = await api.done<{ id: string }>(org, 'create_campaign', {
    name: title,
    status: 'active',
  });
  await api.done(org, 'update_field_mapping', { campaign_id: campaign.id, fields: own });
  const supplier = await api.done<{ id: string }>(org, 'create_supplier', { name: title });
  const linked = { campaign_id: campaign.id, supplier_id: supplier.id };
  await api.done(org, 'add_supplier_to_campaign', linked);
  const input = { template: 'lead_form', name: title, ...linked };
  const { id } = await api.done<{ id: string }>(org, 'create_funnel', input);
  return id;
}

describe('the definition of a funnel, by the catalog of actions', () => {
  it.each(BRIEFS)('is accepted at once and can be published: $title', async (brief) => {
    const { definition } = brief;
    expect([accepts(definition), accepts.errors]).toEqual([true, null]);
    const funnel_id = await draftFor(brief);
    const changed = await api.done<{ warnings: string[] }>(org, 'update_funnel', {
      funnel_id,
      definition,
    });
    expect(changed.warnings).toEqual([]);
    const published = await api.done<object>(org, 'publish_funnel', { funnel_id });
    const isEmbedded = definition.embed !== undefined;
    expect(published).toMatchObject({
      published_version: 1,
      warnings: isEmbedded ? [] : [expect.stringContaining('definition.embed.domains')],
    });
  });

  it('is refused for every kind of mistake with 422, and the path and the rule of each', async () => {
    const [brief] = BRIEFS;
    const funnel_id = await draftFor({ ...brief!, title: 'Broken' });
    for (const [name, alter] of Object.entries(BREAKS)) {
      const definition = copyOf(brief!.definition);
      const place = alter(definition, () => 0);
      if (place === null) continue;
      const reply = await api.call(await org.key(), 'update_funnel', { funnel_id, definition });
      const details = (reply.json?.details ?? []) as Fault[];
      expect({ name, status: reply.status }).toEqual({ name, status: 422 });
      expect(details.map(({ path }) => path)).toContainEqual(expect.stringContaining(place));
      expect(details.every(({ path, message }) => message.startsWith(path))).toBe(true);
    }
  });
});

interface Fault {
  path: string;
  message: string;
}

/** The schema of `definition`, as a key that may change funnels reads it in the catalog. */
async function publishedSchema(): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${await org.key()}` };
  const { json } = await send(`${api.url}/api/v1/actions`, { headers });
  const { actions } = (json as { data: { actions: Described[] } }).data;
  const schema = actions.find(({ name }) => name === 'update_funnel')?.input_schema;
  if (!schema) throw new Error('update_funnel is not in the catalog');
  return schema.properties.definition;
}

interface Described {
  name: string;
  input_schema: { properties: { definition: JsonObject } };
}
