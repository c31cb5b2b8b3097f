/** The endpoint with the official client library, in both eras of the protocol. */
import {
  Client,
  StreamableHTTPClientTransport,
  type JsonSchemaType,
  type JsonSchemaValidator,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOf } from '../../../src/account/keys/keys.js';
import type { Action } from '../../../src/api/actions/action.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { jsonSchema } from '../../../src/lib/jsonSchema.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

const MODES = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2026-07-28', 'auto'],
] as const;
type Mode = (typeof MODES)[number][1];

/** The validator that the library has by itself, made once for each schema: every client lists the same tools. */
class SharedValidator extends AjvJsonSchemaValidator {
  readonly #made = new Map<string, JsonSchemaValidator<unknown>>();
  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validator = this.#made.get(text) ?? super.getValidator<T>(schema);
    this.#made.set(text, validator);
    return validator as JsonSchemaValidator<T>;
  }
}
/** What the protocol takes for granted where a tool does not say. */
const HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
};
const jsonSchemaValidator = new SharedValidator();

const [GET_CAMPAIGN] = REGISTRY.filter(({ name }) => name === 'get_campaign') as [Action];

async function connect(key: string, mode: Mode): Promise<Client> {
  const options = { versionNegotiation: { mode }, jsonSchemaValidator };
  const client = new Client({ name: 'test', version: '1' }, options);
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${api.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

describe.each(MODES)('a client that speaks %s (%j)', (version, mode) => {
  it('gets the name of the server and its instructions', async () => {
    const client = await connect(await org.sharedKey(), mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'leadwire', title: 'Leadwire' });
    expect(client.getInstructions()).toContain('create_buyer');
    await client.close();
  });

  it('sees each action that its key may call as a tool with the same input, and no other', async () => {
    for (const permissions of [permissionsOf('write'), permissionsOf('read')]) {
      const client = await connect(await org.sharedKey(permissions), mode);
      const { tools } = await client.listTools();
      const isWriter = permissions.includes('buyers:write');
      const allowed = REGISTRY.filter(({ permission }) => isWriter || permission.endsWith(':read'));
      const [describing, ...listed] = tools;
      expect(describing?.name).toBe('describe_action');
      expect(listed.map(({ name }) => name)).toEqual(allowed.map(({ name }) => name));
      for (const [n, action] of allowed.entries()) {
        const { name, description, inputSchema, annotations, ...others } = listed[n]!;
        expect([name, others]).toEqual([action.name, {}]);
        expect([`${action.summary}.`, action.description]).toContainEqual(
          expect.stringContaining(description!.replace(`${action.summary}. `, '')),
        );
        const { properties, required = [] } = jsonSchema(action.input, 'input');
        expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(properties ?? {}));
        expect(inputSchema.required ?? []).toEqual(required);
        const { effect, reachesOut = false } = action;
        expect({ ...HINTS, ...annotations }).toMatchObject(
          effect === 'read'
            ? { readOnlyHint: true }
            : {
                readOnlyHint: false,
                destructiveHint: effect === 'destroy',
                openWorldHint: reachesOut,
              },
        );
      }
      await client.close();
    }
  });

  it('calls tools, and is shown one of them whole', async () => {
    const client = await connect(await org.sharedKey(), mode);
    await client.listTools();
    const call = async (name: string, input: Record<string, unknown>) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: input });
      return { isError, ...(structuredContent as { data: { id: string } }) };
    };
    const { id } = (await call('create_campaign', { name: `Auto ${JSON.stringify(mode)}` })).data;
    expect(await call('get_campaign', { campaign_id: id })).toMatchObject({
      isError: false,
      success: true,
      data: { id, status: 'PAUSED' },
    });
    expect(await call('get_campaign', { campaign_id: 'none' })).toMatchObject({
      isError: true,
      success: false,
      code: 'record_not_found',
    });
    const { input_schema } = (await call('describe_action', { name: 'get_campaign' }))
      .data as object as {
      input_schema: object;
    };
    expect(input_schema).toEqual(jsonSchema(GET_CAMPAIGN.input, 'input'));
    expect(await call('get_campain', {})).toMatchObject({
      isError: true,
      success: false,
      code: 'action_not_found',
      error: expect.stringContaining('Did you mean get_campaign?'),
    });
    await client.close();
  });

  it('is refused during a session when its key is revoked', async () => {
    const { id: key_id, api_key } = await api.done<{ id: string; api_key: string }>(
      ...([org, 'create_api_key', { name: `Short ${JSON.stringify(mode)}` }] as const),
    );
    const client = await connect(api_key, mode);
    await client.listTools();
    await api.done(org, 'revoke_api_key', { key_id });
    await expect(client.callTool({ name: 'list_buyers' })).rejects.toThrow();
    await client.close();
  });

  it('does not connect with a key that does not exist', async () => {
    await expect(connect(createKey('live'), mode)).rejects.toThrow();
  });
});

describe('the actions as tools', () => {
  it('return what their output schemas say', async () => {
    const client = await connect(await org.sharedKey(), 'legacy');
    const reads = REGISTRY.filter(
      ({ effect, input }) => effect === 'read' && input.safeParse({}).success,
    );
    expect(reads.length).toBeGreaterThan(4);
    for (const { name, output } of reads) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: {} });
      expect([name, isError]).toEqual([name, false]);
      const { data } = structuredContent as { data: unknown };
      const schema = jsonSchema(output, 'output') as JsonSchemaType;
      expect([name, jsonSchemaValidator.getValidator(schema)(data).valid]).toEqual([name, true]);
    }
    await client.close();
  });

  it('have names and inputs that every client accepts', () => {
    for (const { name, input } of REGISTRY) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      // A root that is a reference makes some clients drop all tools.
      expect(jsonSchema(input, 'input')).toMatchObject({ type: 'object' });
    }
  });
});
