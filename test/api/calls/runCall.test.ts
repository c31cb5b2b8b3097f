/** The rules of a definition, as `runCall` applies them and the catalog tells them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { send } from '../../support/http.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

/** The permission that a refusal names, and the outcomes of the calls that are recorded. */
async function refusal(permissions: Permission[], action: ActionName, input: object) {
  const { json } = await api.call(await org.sharedKey(permissions), action, input);
  const entries = await api.collections.audit.find({ org_id: org.id, action }).toArray();
  return { required: json?.required, recorded: entries.map(({ outcome }) => outcome) };
}

describe('a call', () => {
  it('gives no permission that its caller lacks, and the attempt is recorded', async () => {
    const asked = { name: 'More', permissions: ['settings:read', 'leads:write'] };
    expect(await refusal(['settings:write'], 'create_api_key', asked)).toEqual({
      required: 'leads:write',
      recorded: ['refused'],
    });
  });

  it('needs a further permission for the inputs that its definition names alone', async () => {
    const decide = (result: string) =>
      refusal(['portal:write'], 'resolve_change_request', { request_id: 'chg_none', result });
    expect(await decide('approve')).toEqual({ required: 'campaigns:write', recorded: [] });
    expect(await decide('refuse')).toEqual({ required: undefined, recorded: ['refused'] });
  });
});

describe('the catalog', () => {
  it('has the rules of every action', async () => {
    const headers = { authorization: `Bearer ${await org.sharedKey()}` };
    const { json } = await send(`${api.url}/api/v1/actions`, { headers });
    const { actions } = json?.data as { actions: { name: string }[] };
    const of = (name: ActionName) => actions.find((action) => action.name === name);
    const plain = { also_needs: null, lets_out: [], fresh_sign_in: 'never', max_body_bytes: null };
    expect(of('list_buyers')).toMatchObject({
      ...plain,
      also_needs: { permission: 'reports:read', when: 'figures is true' },
      recorded: { changes: 'never', reads: 'never' },
    });
    expect(of('get_leads')).toMatchObject({
      ...plain,
      lets_out: [
        { kind: 'people', when: null },
        { kind: 'people', when: 'phone, email, click_id or search is given' },
      ],
      recorded: { changes: 'never', reads: 'always' },
    });
    expect(of('get_supplier')).toMatchObject({
      ...plain,
      also_needs: { permission: 'suppliers:write', when: 'reveal_key is true' },
      lets_out: [{ kind: 'access', when: 'reveal_key is true' }],
      fresh_sign_in: 'sometimes',
      recorded: { changes: 'sometimes', reads: 'never' },
    });
    expect(of('set_buyer_delivery')).toMatchObject({
      ...plain,
      lets_out: [{ kind: 'address', when: null }],
      fresh_sign_in: 'always',
      recorded: { changes: 'always', reads: 'never' },
    });
    expect(of('update_funnel')).toMatchObject({ max_body_bytes: 4_000_000 });
  });
});
