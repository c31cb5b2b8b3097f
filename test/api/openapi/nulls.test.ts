import { describe, expect, it } from '@jest/globals';
import { readInput } from '../../../src/api/actions/readInput.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { withNulls } from '../../../src/api/openapi/nulls.js';
import { contract } from '../../support/contract.js';

const { faults } = contract();
const bodyOf = (name: string) => [
  'paths',
  `/api/v1/actions/${name}`,
  'post',
  'requestBody',
  'content',
  'application/json',
  'schema',
];

describe('null in the input of an action', () => {
  it.each(REGISTRY.map((action) => [action.name, action] as const))(
    'is described in %s for the keys that accept it',
    (name, { input, example }) => {
      for (const key of Object.keys(input.shape)) {
        const given = { ...example, [key]: null };
        const isDescribed = faults(bodyOf(name), given).length === 0;
        let isRead = true;
        try {
          readInput(input, given);
        } catch {
          isRead = false;
        }
        expect([key, isDescribed]).toEqual([key, isRead]);
      }
    },
  );

  it('is allowed for any optional key, at every depth', () => {
    const text = { type: 'string' };
    const inner = { type: 'object', properties: { a: text, b: text }, required: ['a'] };
    const read = {
      type: 'object',
      properties: { a: text, b: { type: ['string', 'null'] } },
      required: ['a'],
    };
    const word = { type: 'string', enum: ['x'] };
    expect(
      withNulls({
        type: 'object',
        properties: {
          word,
          list: { type: 'array', items: inner },
          maybe: { anyOf: [inner, { type: 'null' }] },
          either: { anyOf: [inner, text] },
          any: { description: 'Anything' },
        },
        required: ['list'],
      }),
    ).toMatchObject({
      properties: {
        word: { anyOf: [word, { type: 'null' }] },
        list: { type: 'array', items: read },
        maybe: { anyOf: [read, { type: 'null' }] },
        either: { anyOf: [inner, text, { type: 'null' }] },
        any: { description: 'Anything' },
      },
    });
  });
});
