/** Every action with every single permission, and with all but the one it needs; generated from the registry. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../src/account/keys/keys.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { postMcp, toolCall, toolOf } from '../mcp/post.js';
import { startActionsApi, type ActionsApi, type Org } from './api.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

/** The permissions that allow an action: its own, or the write permission of the area where reading is enough. */
const enough = (needed: Permission): Permission[] =>
  needed.endsWith(':read') ? [needed, needed.replace(/read$/, 'write') as Permission] : [needed];

const actions = REGISTRY.map((action) => [action.name, action] as const);

describe.each(actions)('%s', (name, { permission, example }) => {
  const allowing = enough(permission);

  it.each(PERMISSIONS.filter((one) => !allowing.includes(one)))(
    'is refused with %s alone',
    async (one) => {
      const { status, json } = await api.call(await org.key([one]), name, example);
      expect([status, json?.error, json?.required]).toEqual([403, 'forbidden', permission]);
    },
  );

  it.each(allowing)('is not refused for its permission with %s alone', async (one) => {
    const { status, json } = await api.call(await org.key([one]), name, example);
    expect(status).toBeLessThan(500);
    // Whatever else an input needs (lead fields in events, for example) is another permission, and named.
    if (status === 403) expect(json?.required).not.toBe(permission);
  });

  it('is refused with all permissions but those that allow it, as a tool too', async () => {
    const key = await org.key(PERMISSIONS.filter((one) => !allowing.includes(one)));
    const { status, json } = await api.call(key, name, example);
    expect([status, json?.required]).toEqual([403, permission]);
    const { isError, structuredContent } = toolOf(
      await postMcp(api.url, key, toolCall(name, example)),
    );
    expect([isError, structuredContent.success]).toEqual([true, false]);
    expect(structuredContent).toMatchObject({ error: expect.stringContaining(permission) });
  });
});
