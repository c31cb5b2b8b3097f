/** Saved views: whose they are, who sees them, and how many there are. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VIEWS_MAX } from '../../../../src/account/store/savedViews.js';
import { startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

interface View {
  id: string;
  name: string;
  query: string;
  is_own: boolean;
  is_shared: boolean;
}

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const READER = ['leads:read'] as const;

describe('saved views', () => {
  const viewsOf = async (key: string, screen = 'leads'): Promise<View[]> =>
    (await api.call(key, 'get_saved_views', { screen })).json?.data as View[];
  const save = (key: string, name: string, more: object = {}) =>
    api.call(key, 'save_view', { screen: 'leads', name, query: 'status=REJECTED', ...more });
  const keysOf = async (org: Org) => ({
    admin: await org.sharedKey(),
    reader: await org.key([...READER]),
    other: await org.key([...READER]),
  });

  it('keeps one view of a name, whatever its capitals, under the name saved last', async () => {
    const { reader } = await keysOf(await api.org());
    await save(reader, 'Rejected');
    await save(reader, 'REJECTED ', { query: 'status=REJECTED&days=7d' });
    await save(reader, 'Rejected', { screen: 'reports', query: 'by=supplier' });
    expect(await viewsOf(reader)).toMatchObject([
      { name: 'REJECTED', query: 'status=REJECTED&days=7d', is_own: true, is_shared: false },
    ]);
    expect(await viewsOf(reader, 'reports')).toHaveLength(1);
  });

  it('shows a view to its owner, and a shared one to the organization alone', async () => {
    const [org, foreign] = [await api.org(), await api.org()];
    const { admin, reader, other } = await keysOf(org);
    await save(reader, 'Mine');
    await save(admin, 'Ours', { is_shared: true });
    expect((await viewsOf(reader)).map(({ name, is_own }) => [name, is_own])).toEqual([
      ['Mine', true],
      ['Ours', false],
    ]);
    expect((await viewsOf(other)).map(({ name }) => name)).toEqual(['Ours']);
    expect(await viewsOf(await foreign.sharedKey())).toEqual([]);
  });

  it('shares no search for a person: a viewer would read whom it is for', async () => {
    const { admin, reader } = await keysOf(await api.org());
    const share = (query: string, more: object = {}) =>
      save(admin, 'Ours', { query, is_shared: true, ...more });
    for (const query of ['search=Jane+Doe', '?status=REJECTED&search=%2B14155550134'])
      expect(await share(query)).toMatchObject({
        status: 422,
        json: { error: 'invalid_input', details: [{ path: 'is_shared' }] },
      });
    expect(await viewsOf(reader)).toEqual([]);
    expect((await share('search=&status=REJECTED')).status).toBe(200);
    expect((await share('search=North', { screen: 'buyers' })).status).toBe(200);
    expect((await save(admin, 'My own', { query: 'search=Jane+Doe' })).status).toBe(200);
  });

  it('lets only those share who may change leads, and delete their own, or as an admin', async () => {
    const org = await api.org();
    const { admin, reader, other } = await keysOf(org);
    expect(await save(reader, 'For all', { is_shared: true })).toMatchObject({
      status: 403,
      json: { required: 'leads:write' },
    });
    const writer = await org.key(['leads:write']);
    const { id } = (await save(writer, 'Ours', { is_shared: true })).json?.data as View;
    const mine = (await save(reader, 'Mine')).json?.data as View;
    const remove = (key: string, view_id: string) =>
      api.call(key, 'delete_saved_view', { view_id });
    expect(await remove(reader, id)).toMatchObject({
      status: 403,
      json: { required: 'settings:write' },
    });
    expect((await remove(other, mine.id)).status).toBe(400);
    const foreign = await (await api.org()).sharedKey();
    expect((await remove(foreign, id)).status).toBe(400);
    expect((await remove(admin, id)).status).toBe(200);
    expect((await remove(reader, mine.id)).status).toBe(200);
    expect(await viewsOf(reader)).toEqual([]);
  });

  it('keeps one view where many save one name at once, and no more than there are places', async () => {
    const org = await api.org();
    const { reader } = await keysOf(org);
    const same = await Promise.all(Array.from({ length: 8 }, () => save(reader, 'Race')));
    expect(same.map(({ status }) => status)).toEqual(same.map(() => 200));
    expect(await viewsOf(reader)).toHaveLength(1);
    const rows = Array.from({ length: VIEWS_MAX - 3 }, (_, place) => place + 1).map((place) => ({
      _id: `${org.id} ${place}`,
      org_id: org.id,
      screen: 'returns',
      name: `View ${place}`,
      name_key: `view ${place}`,
      query: '',
      owner: { kind: 'key' as const, id: '', name: '' },
      is_shared: false,
      place,
      created_at: new Date(),
      updated_at: new Date(),
    }));
    const [first] = await api.collections.savedViews.find({ org_id: org.id }).toArray();
    await api.collections.savedViews.insertMany(
      rows.map((row) => ({ ...row, owner: first?.owner ?? row.owner })),
    );
    const many = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => save(reader, `One of six ${nth}`)),
    );
    expect(many.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(many.find(({ status }) => status !== 200)?.json).toMatchObject({
      error: 'action_refused',
    });
    expect(await api.collections.savedViews.countDocuments({ org_id: org.id })).toBe(VIEWS_MAX);
  });

  it('refuses a blank name, an unknown screen and a query that is too long', async () => {
    const { reader } = await keysOf(await api.org());
    const path = async (more: object) =>
      ((await save(reader, 'Name', more)).json as { details?: { path: string }[] }).details?.[0]
        ?.path;
    expect(await path({ name: '\u200b ' })).toBe('name');
    expect(await path({ screen: 'nowhere' })).toBe('screen');
    expect(await path({ query: 'x'.repeat(2_001) })).toBe('query');
  });
});
