/** Turns a visitor's submission into a lead, an end without one, or faults at the fields. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileMapping } from '../../../src/fields/mapping.js';
import { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { fieldsOf, stepsOf, walk } from '../../../src/funnels/rules/flow.js';
import { mappedNames } from '../../../src/funnels/rules/fullName.js';
import { readAnswers } from '../../../src/funnels/rules/readAnswers.js';
import { BRIEFS } from './briefs.js';
import { mapping } from './mapping.js';

const [SOLAR, CARS, MORTGAGE, , DENTIST] = BRIEFS.map(({ definition, fields }) => ({
  definition: FunnelDefinition.parse(definition),
  fields,
}));
const PERSON = {
  full_name: 'Ada King Lovelace',
  phone: '(555) 123-4567',
  email: 'ada@example.com',
};

const read = (
  { definition, fields }: typeof SOLAR & object,
  answers: Record<string, string>,
  { isPingPost = false } = {},
) => {
  const posted = Object.entries(answers).map(([name, value]) => [`f.${name}`, value]);
  return readAnswers(
    definition,
    { ...(Object.fromEntries(posted) as Record<string, string>), t: 'token', consent: 'on' },
    { fields, tools: {}, isPingPost },
  );
};
const faultsOf = (...given: Parameters<typeof read>) => {
  const result = read(...given);
  if (result.kind !== 'faulty') throw new Error(result.kind);
  return result.faults.map(({ step, field, text, limit }) =>
    [step, field, text, ...(limit === undefined ? [] : [limit])].join(' '),
  );
};

describe('a lead', () => {
  it('carries answers with the values of their options, the split name and the hidden fields', () => {
    const answers = {
      first_name: ' Ada ',
      last_name: 'Lovelace',
      phone: PERSON.phone,
      email: PERSON.email,
      state: 'tx',
      insured_now: 'false',
      cars: '2',
    };
    expect(read(CARS!, answers)).toEqual({
      kind: 'lead',
      body: {
        source: 'radio',
        first_name: 'Ada',
        last_name: 'Lovelace',
        phone: PERSON.phone,
        email: PERSON.email,
        state: 'tx',
        insured_now: 'false',
        cars: 2,
      },
    });
  });

  it('splits a whole name after its first word', () => {
    const result = read(MORTGAGE!, {
      ...PERSON,
      goal: 'Purchase',
      found_home: 'true',
      credit: 'Good',
    });
    expect(result).toMatchObject({
      body: { first_name: 'Ada', last_name: 'King Lovelace', found_home: true },
    });
  });

  it('leaves out answers on steps that the final answers skip', () => {
    const stale = { found_home: 'true', balance: '5', rate: '3' };
    const answers = { ...PERSON, ...stale, goal: 'Refinance', credit: 'Good' };
    const { body } = read(MORTGAGE!, answers) as { body: object };
    expect(body).toMatchObject({ goal: 'Refinance', balance: '5', rate: '3' });
    expect(body).not.toHaveProperty('found_home');
  });

  it('leaves out names that no step asks for', () => {
    const answers = { ...PERSON, goal: 'Refinance', balance: '5', credit: 'Good' };
    const { body } = read(MORTGAGE!, {
      ...answers,
      test_lead: 'true',
      flo_buyer_id: 'x',
      state: 'TX',
    }) as {
      body: object;
    };
    expect(Object.keys(body).toSorted()).toEqual(
      ['balance', 'credit', 'email', 'first_name', 'goal', 'last_name', 'phone'].toSorted(),
    );
  });

  it('leaves out an optional question without an answer', () => {
    const answers = {
      ...PERSON,
      is_homeowner: 'true',
      monthly_bill: 'over-200',
      zip_code: '90210',
    };
    const { body } = read(SOLAR!, answers) as { body: object };
    expect(body).not.toHaveProperty('roof_shade');
  });

  it.each([
    ['en', '$1,500', '1500'],
    ['es', '1.500 $', '1500'],
    ['en', '1.500', '1.500'],
    ['es', '150,50', '150.50'],
    ['es-US', '1,500', '1500'],
  ])('carries numbers as a page in %s means them: %s is %s', (language, typed, balance) => {
    const definition = { ...MORTGAGE!.definition, language };
    const answers = { ...PERSON, goal: 'Refinance', credit: 'Good', balance: typed };
    const result = read({ ...MORTGAGE!, definition }, answers);
    expect(result).toMatchObject({ kind: 'lead', body: { balance } });
  });

  it('leaves a number of which the campaign keeps the digits as it was typed', () => {
    const fields = MORTGAGE!.fields.map((rule) =>
      rule.name === 'balance' ? { ...rule, transforms: ['digits' as const] } : rule,
    );
    const answers = { ...PERSON, goal: 'Refinance', credit: 'Good', balance: 'about 1500' };
    expect(read({ ...MORTGAGE!, fields }, answers)).toMatchObject({
      body: { balance: 'about 1500' },
    });
  });

  it('keeps the text of a field that the campaign no longer has', () => {
    const fields = mapping().filter(({ name }) => name !== 'zip_code');
    const answers = { ...PERSON, is_homeowner: 'true', monthly_bill: 'over-200', zip_code: 'any' };
    expect(read({ ...SOLAR!, fields }, answers)).toMatchObject({ body: { zip_code: 'any' } });
  });
});

describe('an answer that does not qualify', () => {
  it('ends at its page, whatever else was answered', () => {
    expect(read(SOLAR!, { ...PERSON, is_homeowner: 'false', zip_code: 'x' })).toEqual({
      kind: 'not_qualified',
      page: 'renters',
    });
  });
});

describe('faults', () => {
  it('names each field of the path that is missing or wrong, in the order of the page', () => {
    expect(
      faultsOf(DENTIST!, {
        appointment_date: '31.12.2026',
        daytime: 'night',
        full_name: 'Ada',
        phone: '12',
        email: 'ada@',
      }),
    ).toEqual([
      'when appointment_date invalid_date',
      'when daytime invalid',
      'who full_name invalid_name',
      'who phone invalid_phone',
      'who email invalid_email',
    ]);
    expect(faultsOf(DENTIST!, {})).toEqual([
      'when appointment_date required',
      'when daytime required',
      'who full_name required',
      'who phone required',
      'who email required',
    ]);
  });

  it('names no field that comes after a question that branches and has no answer', () => {
    expect(faultsOf(MORTGAGE!, { credit: 'Good' })).toEqual(['goal goal required']);
    expect(faultsOf(MORTGAGE!, { goal: 'steal' })).toEqual(['goal goal invalid']);
  });

  it('refuses an answer outside the options, in questions and in forms', () => {
    expect(faultsOf(CARS!, { cars: '6', insured_now: 'maybe' })).toEqual(
      expect.arrayContaining(['datos cars invalid', 'datos insured_now invalid']),
    );
  });

  it('gives the bound of a number, and says when a text is too long', () => {
    const answers = { ...PERSON, goal: 'Refinance', balance: '-1', rate: '31', credit: 'Good' };
    expect(faultsOf(MORTGAGE!, { ...answers, full_name: `A ${'x'.repeat(500)}` })).toEqual([
      'loan balance too_small 0',
      'loan rate too_large 30',
      'contact full_name too_long',
    ]);
  });

  it('judges a typed number by what it means, and refuses what could be a slip', () => {
    const answers = { ...PERSON, goal: 'Refinance', balance: '-$1,500', credit: 'Good' };
    expect(faultsOf(MORTGAGE!, { ...answers, rate: '1,5000' })).toEqual([
      'loan balance too_small 0',
      'loan rate invalid_number',
    ]);
    expect(faultsOf(MORTGAGE!, { ...answers, balance: '5', rate: '30.5 %' })).toEqual([
      'loan rate too_large 30',
    ]);
  });

  it('requires what a ping needs only where a ping comes first', () => {
    const fields = mapping({ name: 'zip_code', type: 'Zip / Postal Code', ping_required: true });
    const answers = { ...PERSON, is_homeowner: 'true', monthly_bill: 'over-200' };
    expect(read({ ...SOLAR!, fields }, answers).kind).toBe('lead');
    expect(faultsOf({ ...SOLAR!, fields }, answers, { isPingPost: true })).toEqual([
      'place zip_code required',
    ]);
  });
});

describe('any answers to any of the five funnels', () => {
  const texts = [
    '',
    ' ',
    'true',
    'false',
    'Ada',
    'Ada King',
    '5551234567',
    'ada@example.com',
    '2026-01-31',
    'x\0',
  ];

  it('makes only leads with answers on the path, which the mapping of the campaign accepts', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.nat(BRIEFS.length - 1),
        fc.array(fc.tuple(fc.nat(30), fc.nat(99)), { minLength: 20, maxLength: 20 }),
        (brief, draws) => {
          const definition = FunnelDefinition.parse(BRIEFS[brief]!.definition);
          const { fields } = BRIEFS[brief]!;
          const names = stepsOf(definition).flatMap((step) =>
            step.type === 'quiz_step' ? [step.field] : step.fields.map(({ name }) => name),
          );
          const good = goodAnswers(definition, fields);
          const answers = Object.fromEntries(
            names.map((name, at) => {
              const [which, odds] = draws[at % draws.length]!;
              const choices = [...(good[name] ?? []), ...(odds < 4 ? texts : [])];
              return [name, choices[which % choices.length] ?? ''];
            }),
          );
          const result = read({ definition, fields }, answers);
          seen.add(result.kind);
          if (result.kind !== 'lead') return;
          const { path } = walk(definition, answers);
          const allowed = [
            ...path.flatMap(fieldsOf).flatMap((name) => mappedNames(name, fields)),
            ...Object.keys(definition.hidden_fields),
          ];
          expect(allowed).toEqual(expect.arrayContaining(Object.keys(result.body)));
          expect(compileMapping(fields)(result.body)).toMatchObject({ ok: true });
        },
      ),
      // Fixed, because the kinds are counted below.
      { seed: 7 },
    );
    expect([...seen].toSorted()).toEqual(['faulty', 'lead', 'not_qualified']);
  });
});

/** Valid answers for each field. */
function goodAnswers(
  definition: FunnelDefinition,
  fields: readonly { name: string; type: string; allowed_values?: string[] }[],
): Record<string, string[]> {
  const byType: Record<string, string[]> = {
    String: ['Ada King'],
    Phone: ['5551234567'],
    Email: ['ada@example.com'],
    Date: ['2026-01-31'],
    Boolean: ['true', 'false'],
    Number: ['3'],
    State: ['TX'],
    'Zip / Postal Code': ['90210'],
  };
  const typed = fields.map(({ name, type, allowed_values }): [string, string[]] => [
    name,
    allowed_values ?? byType[type] ?? ['x'],
  ]);
  const chosen = stepsOf(definition).flatMap((step): [string, string[]][] =>
    step.type === 'quiz_step' ? [[step.field, step.options.map(({ value }) => String(value))]] : [],
  );
  return Object.fromEntries([['full_name', ['Ada King', 'Ada B C']], ...typed, ...chosen]);
}
