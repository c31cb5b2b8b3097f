/** The order of steps, for any funnel and any answers. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Block, Step } from '../../../src/funnels/rules/blocks.js';
import { checkStructure } from '../../../src/funnels/rules/checkStructure.js';
import {
  fieldsOf,
  followersOf,
  reachableFrom,
  stepsOf,
  walk,
} from '../../../src/funnels/rules/flow.js';

const form = (id: string, ...names: string[]): Block => ({
  id,
  type: 'form',
  title: id,
  fields: names.map((name) => ({ name, label: name })),
});
const quiz = (id: string, ...options: [value: string, lead?: Record<string, string>][]): Block => ({
  id,
  type: 'quiz_step',
  title: id,
  field: id,
  required: true,
  options: options.map(([value, lead]) => ({ value, label: value, ...lead })),
});
const ids = (blocks: Block[], answers: Record<string, string>) => {
  const { path, ending } = walk({ blocks }, answers);
  return { path: path.map(({ id }) => id).join(' '), ending };
};

const BRANCHED: Block[] = [
  { id: 'hero', type: 'hero', title: 'Hero', image_alt: '' },
  quiz(
    'goal',
    ['buy', { next: 'found' }],
    ['sell', { next: 'price' }],
    ['look', { not_qualified: 'sorry' }],
  ),
  quiz('found', ['yes', { next: 'contact' }], ['no']),
  form('price', 'price'),
  form('contact', 'phone'),
];

describe('walk', () => {
  it('follows the branch of an answer past the steps between', () => {
    expect(ids(BRANCHED, { goal: 'sell' }).path).toBe('goal price contact');
    expect(ids(BRANCHED, { goal: 'buy', found: 'yes' }).path).toBe('goal found contact');
  });

  it('goes to the next step in the list without an answer, and with one that is not offered', () => {
    expect(ids(BRANCHED, {}).path).toBe('goal found price contact');
    expect(ids(BRANCHED, { goal: 'rent', found: 'no' }).path).toBe('goal found price contact');
  });

  it('ends at the page of an answer that does not qualify', () => {
    expect(ids(BRANCHED, { goal: 'look', found: 'yes' })).toEqual({
      path: 'goal',
      ending: { kind: 'not_qualified', page: 'sorry' },
    });
  });

  it('treats a typed value like its text', () => {
    const blocks = [
      { ...quiz('n', ['1', { next: 'end' }], ['2']), field: 'n' },
      form('middle', 'a'),
      form('end', 'b'),
    ] as Block[];
    expect(walk({ blocks }, { n: 1 }).path).toHaveLength(2);
  });

  it('names the fields of a path', () => {
    const { path } = walk({ blocks: BRANCHED }, { goal: 'sell' });
    expect(path.flatMap(fieldsOf)).toEqual(['goal', 'price', 'phone']);
  });
});

// Any funnel: steps may lead forward, back or to steps that do not exist.
const anyFunnel = fc
  .array(
    fc.record({
      isQuiz: fc.boolean(),
      required: fc.boolean(),
      leads: fc.array(fc.option(fc.integer({ min: -1, max: 12 }), { nil: undefined }), {
        minLength: 2,
        maxLength: 4,
      }),
      isEnd: fc.boolean(),
    }),
    { minLength: 0, maxLength: 11 },
  )
  .map((drawn): Block[] => [
    ...drawn.map(({ isQuiz, required, leads, isEnd }, at): Block => {
      if (!isQuiz) return form(`s${at}`, `f${at}`);
      const options = leads.map((lead, n): [string, Record<string, string>?] => {
        if (isEnd && n === 0) return [`v${n}`, { not_qualified: 'sorry' }];
        return lead === undefined ? [`v${n}`] : [`v${n}`, { next: `s${lead}` }];
      });
      return { ...quiz(`s${at}`, ...options), required } as Block;
    }),
    form('last', 'phone'),
  ]);
const anyAnswers = fc.array(fc.constantFrom('v0', 'v1', 'v2', 'v3', 'else', ''), {
  minLength: 12,
  maxLength: 12,
});
const answersBy = (values: string[]) =>
  Object.fromEntries(values.flatMap((value, at) => (value === '' ? [] : [[`s${at}`, value]])));

describe('any funnel with any answers', () => {
  it('ends, at the last form or at a page, after steps that only go forward', () => {
    fc.assert(
      fc.property(anyFunnel, anyAnswers, (blocks, values) => {
        const steps = stepsOf({ blocks });
        const { path, ending } = walk({ blocks }, answersBy(values));
        const places = path.map((step) => steps.indexOf(step));
        expect(places[0]).toBe(0);
        expect(places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))).toBe(true);
        expect(ending.kind === 'form').toBe(path.at(-1)?.id === 'last');
      }),
    );
  });

  it('goes only to steps that may follow each other, and so only to steps that can be reached', () => {
    fc.assert(
      fc.property(anyFunnel, anyAnswers, (blocks, values) => {
        const steps = stepsOf({ blocks });
        const complete = answersBy(values.map((value) => (value === '' ? 'v0' : value)));
        const offered = Object.fromEntries(
          Object.entries(complete).map(([name, value]) => [name, value === 'else' ? 'v1' : value]),
        );
        // Questions with fewer options fall through to the next step, as on a page without scripts.
        const { path } = walk({ blocks }, offered);
        const reached = reachableFrom(steps, [0]);
        path.forEach((step, at) => {
          const next = path[at + 1];
          const place = steps.indexOf(step);
          const isOffered =
            step.type === 'form' || step.options.some(({ value }) => value === offered[step.field]);
          if (next && isOffered) expect(followersOf(steps, place)).toContain(steps.indexOf(next));
          if (
            path
              .slice(0, at)
              .every(
                (one) =>
                  one.type === 'form' ||
                  one.options.some(({ value }) => value === offered[one.field]),
              )
          )
            expect(reached.has(place)).toBe(true);
        });
      }),
    );
  });

  it('reaches every step of a definition that is accepted, by some answers', () => {
    fc.assert(
      fc.property(anyFunnel, (blocks) => {
        const steps = stepsOf({ blocks });
        fc.pre(steps.length <= 6 && isAccepted(blocks));
        const paths = everyAnswers(steps).map((answers) => walk({ blocks }, answers).path);
        expect(new Set(paths.flat().map(({ id }) => id)).size).toBe(steps.length);
      }),
      { maxSkipsPerRun: 2_000 },
    );
  });
});

const isAccepted = (blocks: Block[]): boolean => {
  const pages = [{ id: 'sorry', title: 'Sorry' }];
  return checkStructure({ blocks, not_qualified_pages: pages }, { ownOrigin: false }).length === 0;
};

/** Each option of each question, combined with those of the others; also none, where a question may be skipped. */
const everyAnswers = (steps: readonly Step[]): Record<string, string>[] =>
  steps.reduce<Record<string, string>[]>(
    (all, step) => {
      if (step.type === 'form') return all;
      const values = step.options.map(({ value }) => String(value));
      const given = all.flatMap((one) => values.map((value) => ({ ...one, [step.field]: value })));
      return step.required ? given : [...given, ...all];
    },
    [{}],
  );
