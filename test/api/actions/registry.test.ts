import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ACTION_NAMES } from '../../../src/api/actions/names.js';
import { readInput } from '../../../src/api/actions/readInput.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';

/** Keys of an object's schema, at every depth, without a description. */
function undescribed(schema: Record<string, unknown>, path = ''): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.entries(properties).flatMap(([key, inner]) => {
    const at = `${path}.${key}`;
    const items = (inner.items ?? {}) as Record<string, unknown>;
    const isPlain = inner.enum !== undefined || inner.type === 'boolean' || key === 'status';
    const own = inner.description === undefined && !isPlain ? [at] : [];
    return [...own, ...undescribed(inner, at), ...undescribed(items, at)];
  });
}

/** The same for an output, where every key needs a description. */
function unexplained(schema: Record<string, unknown>, path = ''): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const inside = [items, additionalProperties, ...(anyOf as unknown[])].flatMap((inner) =>
    typeof inner === 'object' && inner !== null
      ? unexplained(inner as Record<string, unknown>, path)
      : [],
  );
  const keys = Object.entries(properties as Record<string, Record<string, unknown>>);
  const own = keys.flatMap(([key, inner]) => {
    const at = `${path}.${key}`;
    return [...(inner.description === undefined ? [at] : []), ...unexplained(inner, at)];
  });
  return [...own, ...inside];
}

/** A person's own views are no records of the account: whoever reads a list may keep its filters. */
const OF_ONES_OWN = new Set(['save_view', 'delete_saved_view']);

describe('the registry', () => {
  it('has every name once', () => {
    expect(REGISTRY.map(({ name }) => name)).toEqual(ACTION_NAMES);
    expect(new Set(ACTION_NAMES).size).toBe(ACTION_NAMES.length);
  });

  it('has a command of its own for each', () => {
    const commands = REGISTRY.map(({ cli }) => cli.join(' '));
    expect(new Set(commands).size).toBe(commands.length);
    for (const command of commands) expect(command).toMatch(/^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/);
  });

  it('returns every list in pages', () => {
    // There are at most 1,000 members, and four templates, so these lists are returned whole.
    const whole = ['list_members', 'list_sessions', 'list_funnel_templates'];
    const lists = REGISTRY.filter(
      ({ name }) => /^list_|^get_leads$/.test(name) && !whole.includes(name),
    );
    expect(lists.filter(({ paged }) => !paged).map(({ name }) => name)).toEqual([]);
  });

  it('has no action that moves money', () => {
    const names = REGISTRY.filter(({ name }) => /charge|refund|wallet|invoice|payout/i.test(name));
    expect(names).toEqual([]);
  });

  describe.each(REGISTRY.map((action) => [action.name, action] as const))('%s', (_name, action) => {
    it('accepts its own example', () => {
      expect(readInput(action.input, action.example)).toMatchObject(action.example);
    });

    it('describes each part of its input and output', () => {
      expect(undescribed(z.toJSONSchema(action.input, { io: 'input' }))).toEqual([]);
      expect(unexplained(z.toJSONSchema(action.output))).toEqual([]);
      expect(action.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(action.description).toMatch(/^[A-Z][^]*\.$/);
    });

    it('has a limit and a cursor where it returns pages, and only there', () => {
      const asked = ['limit', 'cursor'].map((key) => key in action.input.shape);
      expect(asked).toEqual(action.paged ? [true, true] : [false, false]);
    });

    it('needs only a read permission when it changes nothing', () => {
      const isRead = action.effect === 'read' || OF_ONES_OWN.has(action.name);
      expect(action.permission.endsWith(':read')).toBe(isRead);
    });
  });
});
