import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, startActionsApi, type ActionsApi } from '../../../support/api.js';

describe('a campaign with as many fields as it can have', () => {
  let api: ActionsApi;

  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  const fields = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ name: `field_${from + n}`, type: 'String' }));

  it('is shown with all of them and those of the system, and refuses one more', async () => {
    const org = await api.org();
    const made = await api.done<{ id: string }>(org, 'create_campaign', {
      name: 'Wide',
      fields: fields(0, 300),
    });
    const campaign_id = made.id;
    await api.done(org, 'add_campaign_fields', { campaign_id, fields: fields(300, 500) });
    const shown = await api.done<{ field_mapping: { name: string }[] }>(org, 'get_campaign', {
      campaign_id,
    });
    expect(shown.field_mapping.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['first_name', 'field_0', 'field_499']),
    );
    expect(shown.field_mapping.length).toBeGreaterThan(500);

    const more = { campaign_id, fields: fields(500, 501) };
    expect(await faultsOf(api, org, 'add_campaign_fields', more)).toEqual([
      422,
      'A campaign can have at most 500 fields of its own, not 501.',
    ]);
  });
});
