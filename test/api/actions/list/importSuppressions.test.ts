/** Long suppression files in chunks over the API. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOf } from '../../../../src/account/keys/keys.js';
import { hashKey } from '../../../../src/platform/security/keys.js';
import { startActionsApi, type ActionsApi } from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('import_suppressions', () => {
  it('counts toward the calls of a minute, and not toward its writes', async () => {
    const org = await api.org();
    const key = await org.key();
    const limits = { calls_per_minute: 6, writes_per_minute: 1 };
    await api.collections.apiKeys.updateOne({ _id: hashKey(key) }, { $set: { limits } });
    const chunk = (number: number) =>
      api.call(key, 'import_suppressions', {
        import_id: 'file',
        name: 'DNC',
        chunk: number,
        csv: `phone\n415555013${number}\nbad\n`,
        first_line: 2 + 2 * number,
      });
    for (const number of [0, 1, 2]) expect((await chunk(number)).status).toBe(200);
    const { json } = await chunk(3);
    expect(json?.data).toMatchObject({
      state: 'open',
      next_chunk: 4,
      rows: 8,
      added: 4,
      bad: 4,
      problems: [{ line: 9, column: 'phone' }],
    });
    const end = { import_id: 'file', name: 'DNC', chunk: 4, finish: true };
    const done = await api.call(key, 'import_suppressions', end);
    expect(done.json?.data).toMatchObject({ state: 'done', entries: 4, problems: [] });
    expect((await api.call(key, 'create_buyer', { name: 'One' })).status).toBe(200);
    expect((await chunk(4)).json?.error).toBe('rate_limited');
  });

  it('tells how far it has come, and refuses a chunk together with the end', async () => {
    const org = await api.org();
    const asked = { import_id: 'file', name: 'DNC' };
    const told = await api.done(org, 'import_suppressions', asked);
    expect(told).toMatchObject({ next_chunk: 0, state: 'open', entries: null });
    const both = { ...asked, csv: 'phone\n1', finish: true };
    const { status, json } = await api.call(await org.sharedKey(), 'import_suppressions', both);
    expect([status, json?.error]).toEqual([422, 'invalid_input']);
    const reading = await org.sharedKey(permissionsOf('read'));
    expect((await api.call(reading, 'import_suppressions', asked)).status).toBe(403);
  });
});
