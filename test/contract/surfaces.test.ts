/** One registry, five surfaces: each action is on each of them once, with the same input and permission. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeManifest } from '../../cli/actions/makeManifest.js';
import { readManifest } from '../../cli/actions/manifest.js';
import { PERMISSIONS } from '../../src/account/keys/keys.js';
import { holds } from '../../src/api/actions/access.js';
import { REGISTRY } from '../../src/api/actions/registry.js';
import { jsonSchema, type JsonObject } from '../../src/lib/jsonSchema.js';
import { startActionsApi, type ActionsApi, type Org } from '../support/api.js';
import { postMcp, replyOf } from '../api/mcp/post.js';
import { readDocument } from '../support/contract.js';

interface Listed {
  name: string;
  permission: string;
  input_schema: JsonObject;
}
interface Tool {
  name: string;
  inputSchema: JsonObject;
}

const NAMES = REGISTRY.map(({ name }) => name);
const keysOf = (schema: JsonObject): string[] => Object.keys(schema.properties ?? {});

describe('every action', () => {
  let api: ActionsApi;
  let org: Org;
  let catalog: Listed[];
  let tools: Tool[];
  const document = readDocument();

  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const key = await org.sharedKey();
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${api.url}/api/v1/actions`, { headers });
    catalog = ((await answer.json()) as { data: { actions: Listed[] } }).data.actions;
    const listed = replyOf(
      await postMcp(api.url, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    );
    tools = listed.result.tools as Tool[];
  });
  afterAll(() => api.stop());

  it('is on each surface once, and no other name is', () => {
    const prefix = '/api/v1/actions/';
    const described = Object.keys(document.paths)
      .filter((path) => path.startsWith(prefix) && !path.includes('{'))
      .map((path) => path.slice(prefix.length));
    expect(catalog.map(({ name }) => name)).toEqual(NAMES);
    expect(tools.map(({ name }) => name)).toEqual(['describe_action', ...NAMES]);
    expect(described.toSorted()).toEqual(NAMES.toSorted());
    expect(readManifest().map(({ name }) => name)).toEqual(NAMES);
  });

  it.each(REGISTRY.map((action) => [action.name, action] as const))(
    '%s has the same input and needs the same permission everywhere',
    async (name, action) => {
      const input = jsonSchema(action.input, 'input');
      const { permission } = action;
      expect(catalog.find((one) => one.name === name)).toMatchObject({
        permission,
        input_schema: JSON.parse(JSON.stringify(input)) as JsonObject,
      });
      // The list abbreviates what keys take, and has all of them.
      const { inputSchema = {} } = tools.find((one) => one.name === name) ?? {};
      expect(keysOf(inputSchema)).toEqual(keysOf(input));
      expect(inputSchema.required ?? []).toEqual(input.required ?? []);
      const describe = { name: 'describe_action', arguments: { name } };
      const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: describe };
      const described = replyOf(await postMcp(api.url, await org.key(), asked));
      expect(described.result).toMatchObject({
        structuredContent: {
          data: { name, input_schema: JSON.parse(JSON.stringify(input)) as JsonObject },
        },
      });
      const operation = document.paths[`/api/v1/actions/${name}`]?.post;
      const body = operation?.requestBody?.content['application/json']?.schema ?? {};
      expect(operation?.['x-permission']).toBe(permission);
      expect(keysOf(body)).toEqual(keysOf(input));
      expect(body.required ?? []).toEqual(input.required ?? []);
      const [entry] = makeManifest([action]);
      expect(readManifest().find((one) => one.name === name)).toEqual(
        JSON.parse(JSON.stringify(entry)),
      );
      expect(entry).toMatchObject({ permission });
      expect(entry?.flags.map(({ key }) => key)).toEqual(keysOf(input));

      // Over HTTP and as a tool it exists, and is refused only for this missing permission.
      const others = await org.sharedKey(PERMISSIONS.filter((one) => !holds([one], permission)));
      const { status, json } = await api.call(others, name, {});
      expect([status, json?.error, json?.required]).toEqual([403, 'forbidden', permission]);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } };
      const { result } = replyOf(await postMcp(api.url, others, call));
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { success: false, code: 'forbidden', required: permission },
      });
    },
  );
});
