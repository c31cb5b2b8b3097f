/** The API description: valid, complete, and in agreement with the running service. */
import { compileErrors, validate } from '@readme/openapi-parser';
import { describe, expect, it } from '@jest/globals';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { ERROR_STATUS } from '../../../src/lib/errors.js';
import { endpoints } from '../../../src/api/endpoints/index.js';
import { apiDescription } from '../../../src/api/openapi/description.js';
import { actionOperation } from '../../../src/api/openapi/actionOperations.js';
import { withNulls } from '../../../src/api/openapi/nulls.js';
import { portable } from '../../../src/api/openapi/portable.js';
import { namedSchemas } from '../../../src/api/openapi/schemas.js';
import { jsonSchema, type JsonObject } from '../../../src/lib/jsonSchema.js';
import {
  contract,
  readDocument,
  type ApiDocument,
  type Media,
  type Operation,
} from '../../support/contract.js';

const { document, faults } = contract();
/** As callers get it, with references to refusals. */
const served = JSON.parse(apiDescription({})().bytes.toString('utf8')) as ApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** The schema with each reference replaced by its target. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as JsonObject;
  if (typeof $ref !== 'string') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]));
  }
  const name = $ref.replace('#/components/schemas/', '');
  return { ...(whole(document.components.schemas[name]) as JsonObject), ...rest };
}

describe('the description of the API', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await validate(structuredClone(served) as never);
    expect(result.valid ? '' : compileErrors(result)).toBe('');
  });

  it.each([[640_000]])(
    'writes each schema, each list of words and each refusal once, in at most %i bytes',
    (most) => {
      expect(Buffer.byteLength(JSON.stringify(served))).toBeLessThanOrEqual(most);
      const parts = schemasIn(served);
      const words = parts.flatMap(({ enum: one }) =>
        Array.isArray(one) && one.length > 1 ? JSON.stringify(one) : [],
      );
      expect(words.filter((one, n) => words.indexOf(one) !== n)).toEqual([]);
      const types = parts
        .filter(({ properties }) => properties !== undefined)
        .map(({ description: _, ...schema }) => JSON.stringify(schema))
        .filter((one) => one.length > 400);
      expect(types.filter((one, n) => types.indexOf(one) !== n)).toEqual([]);
      const { schemas, responses } = served.components;
      for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]*$/);
      for (const name of Object.keys(responses)) expect(name).toMatch(/^[A-Z][A-Za-z]*$/);
    },
  );

  it('refers to nothing that is not there, and has no component that nothing refers to', () => {
    const text = JSON.stringify(served);
    const used = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, at]) => at),
    );
    const there = Object.entries(served.components as object)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts as object).map((name) => `${kind}/${name}`));
    expect([...used].toSorted()).toEqual(there.toSorted());
  });

  it('has every endpoint and every action, once', () => {
    const ofTable = endpoints.map(({ method, path, id }) => [
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      id,
    ]);
    const ofRegistry = REGISTRY.map(({ name }) => [`post /api/v1/actions/${name}`, name]);
    const found = operations.map(({ path, method, operation }) => [
      `${method} ${path}`,
      operation.operationId,
    ]);
    expect(found.toSorted()).toEqual([...ofTable, ...ofRegistry].toSorted());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(REGISTRY.map((action) => [action.name, action] as const))(
    'has %s as implemented',
    (name, { input, output, permission, effect, example }) => {
      const operation = document.paths[`/api/v1/actions/${name}`]?.post;
      const { schema: body, example: shown } =
        operation?.requestBody?.content['application/json'] ?? ({} as Media);
      expect(whole(body)).toEqual(portable(withNulls(withoutText(jsonSchema(input, 'input')))));
      expect(shown).toEqual(example);
      const answer = operation?.responses['200']?.content?.['application/json'];
      const { data } = answer?.schema.properties as { data: JsonObject };
      expect(whole(data)).toEqual(portable(jsonSchema(output, 'output')));
      expect(operation).toMatchObject({ 'x-permission': permission, 'x-effect': effect });
    },
  );

  it('describes every tag', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    const silent = document.tags.filter(({ description }) => !description);
    expect(silent).toEqual([]);
  });

  it('has every refusal except those of unknown paths and methods', () => {
    const text = JSON.stringify(
      operations.map(({ operation }) => Object.values(operation.responses)),
    );
    const absent = Object.keys(ERROR_STATUS).filter((code) => !text.includes(`"${code}":{`));
    expect(absent).toEqual(['method_not_allowed']);
  });

  it('has a body in every answer except to a notification and for an unchanged copy', () => {
    const bare = operations.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { content = {} }]) => Object.keys(content).length === 0)
        .map(([status]) => `${method} ${path} ${status}`),
    );
    expect(bare.toSorted()).toEqual(['get /api/v1/openapi.json 304', 'post /mcp 202']);
  });

  it('shows examples that match their schemas', () => {
    const wrong = operations.flatMap(({ path, method, operation }) =>
      mediaOf(operation).flatMap(({ at, media }) =>
        [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)]
          .filter((value) => value !== undefined)
          .flatMap((value) => faults(['paths', path, method, ...at, 'schema'], value))
          .map((fault) => `${method} ${path} ${at.join(' ')}: ${fault}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('lists the addresses of the installation as servers', () => {
    expect(readDocument().servers).toMatchObject([{ url: '/' }]);
    const addresses = { baseUrl: 'https://leads.example/', ingestUrl: 'https://in.example' };
    expect(readDocument(addresses).servers).toMatchObject([
      { url: 'https://leads.example' },
      { url: 'https://in.example' },
    ]);
  });

  it('has the cursor of the next page next to the data', () => {
    const [action] = REGISTRY.filter(({ name }) => name === 'list_campaigns');
    const [runner] = endpoints.filter(({ id }) => id === 'runAction');
    const operation = actionOperation(action!, runner!, namedSchemas()) as unknown as Operation;
    const answer = operation.responses['200']?.content?.['application/json'];
    expect(Object.keys(answer?.schema.properties as object)).toContain('next_cursor');
  });
});

/** Every schema of a value in a body or a component, at any depth. Examples are none. */
function schemasIn(part: unknown): JsonObject[] {
  if (Array.isArray(part)) return part.flatMap(schemasIn);
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.entries(part)
    .filter(([key]) => !['example', 'examples', 'enum', 'propertyNames'].includes(key))
    .flatMap(([key, inner]) => (key === 'schema' ? schemasIn(inner).slice(1) : schemasIn(inner)));
  return [part as JsonObject, ...inside];
}

/** Every body of an operation, and its place. */
function mediaOf({ requestBody, responses }: Operation): { at: string[]; media: Media }[] {
  const ofContent = (at: string[], content: Record<string, Media> = {}) =>
    Object.entries(content).map(([type, media]) => ({ at: [...at, 'content', type], media }));
  return [
    ...ofContent(['requestBody'], requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      ofContent(['responses', status], content),
    ),
  ];
}

const withoutText = ({ description: _text, ...schema }: JsonObject): JsonObject => schema;
