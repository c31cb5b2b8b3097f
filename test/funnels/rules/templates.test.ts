/** Each template is complete in each language, and valid for any campaign. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkFieldRules } from '../../../src/fields/checkFieldRules.js';
import { FIELD_TYPE_NAMES, type FieldRule } from '../../../src/fields/fieldRule.js';
import type { Block } from '../../../src/funnels/rules/blocks.js';
import { checkAgainstCampaign } from '../../../src/funnels/rules/checkAgainstCampaign.js';
import { stepsOf } from '../../../src/funnels/rules/flow.js';
import { readDefinition } from '../../../src/funnels/rules/readDefinition.js';
import { TEMPLATE_LANGUAGES, TEMPLATE_NAMES } from '../../../src/funnels/rules/templates/names.js';
import {
  describeTemplates,
  templateOf,
  templateWarnings,
} from '../../../src/funnels/rules/templates/templateOf.js';
import { aField } from '../../support/builders.js';
import { listOf, mapping, yesNo } from './mapping.js';

const ALL = TEMPLATE_NAMES.flatMap((template) =>
  TEMPLATE_LANGUAGES.map((language) => ({ template, language })),
);
const RICH = mapping(
  listOf('goal', ['Buy', 'Sell'], { required: false, label: 'What do you want to do?' }),
  yesNo('owner', { label: 'Do you own your home?' }),
  { name: 'loan_amount', type: 'Number', required: true },
  { name: 'appointment_date', type: 'Date', required: true },
  { name: 'zip_code', type: 'Zip / Postal Code', required: true },
);
const tools = { isValidPhone: () => true };
const typesOf = (blocks: readonly Block[]): string[] => blocks.map(({ type }) => type);

describe.each(ALL)('the template $template in $language', ({ template, language }) => {
  const make = (fields: readonly FieldRule[]) =>
    templateOf(template, language, { name: 'Auto', fields });

  it.each([
    ['a new campaign', mapping()],
    ['a campaign with fields of its own', RICH],
  ])('is accepted for %s, in readable colors', (_, fields) => {
    const definition = make(fields);
    const result = readDefinition(definition, { ownOrigin: false });
    if (!result.ok) throw new Error(JSON.stringify(result.details));
    expect(result.definition).toEqual(definition);
    expect(result.warnings.filter((warning) => warning.includes('contrast'))).toEqual([]);
    expect(checkAgainstCampaign(definition, fields, tools, { isPingPost: true })).toEqual([]);
  });

  it('has all its texts in its language', () => {
    const { language: written, title, consent } = make(mapping());
    expect(written).toBe(language);
    expect(/[áéíóúñ¿¡]/.test(JSON.stringify(make(mapping())))).toBe(language === 'es');
    expect(title.length).toBeGreaterThan(5);
    expect(consent.text).toContain(language === 'es' ? 'Acepto' : 'I agree');
    expect(consent.purpose).toContain('(Auto)');
  });

  it('is valid for any mapping that a campaign may have', () => {
    fc.assert(
      fc.property(anyMapping, (own) => {
        const fields = mapping(...own);
        const definition = make(fields);
        const result = readDefinition(definition, { ownOrigin: false });
        expect(result).toMatchObject({ ok: true });
        expect(checkAgainstCampaign(definition, fields, tools, { isPingPost: true })).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is valid for a campaign of 500 fields that are all required', () => {
    const kinds = [
      yesNo,
      (name: string) => listOf(name, ['a', 'b']),
      (name: string) => ({ name, required: true }),
    ];
    const fields = mapping(
      ...Array.from({ length: 500 }, (_, at) => kinds[at % 3]!(`field_${at}`)),
    );
    expect(checkAgainstCampaign(make(fields), fields, tools)).toEqual([]);
  });
});

describe('templates', () => {
  const make = (template: (typeof TEMPLATE_NAMES)[number]) =>
    templateOf(template, 'en', { name: 'Auto', fields: RICH });

  it('lists each by its name and what it is for', () => {
    expect(describeTemplates('es').map(({ template }) => template)).toEqual(TEMPLATE_NAMES);
  });

  it('quiz asks one question at a time, and contact data last', () => {
    const { blocks, not_qualified_pages } = make('quiz');
    expect(stepsOf({ blocks }).map(({ id, type }) => `${type} ${id}`)).toEqual([
      'quiz_step question-1',
      'quiz_step question-2',
      'form details',
      'form contact',
    ]);
    expect(blocks.find(({ id }) => id === 'question-1')).toMatchObject({ field: 'owner' });
    expect(not_qualified_pages.map(({ id }) => id)).toEqual(['not_qualified']);
  });

  it('appointment asks for the time first', () => {
    expect(stepsOf(make('appointment'))[0]).toMatchObject({
      id: 'time',
      fields: [{ name: 'appointment_date', required: true }],
    });
  });

  it('appointment warns, and asks no time, where the campaign has no field for one', () => {
    const without = mapping({ name: 'date_of_birth', type: 'Date', required: true });
    expect(templateWarnings('appointment', without)).toEqual([
      expect.stringMatching(/no field for the date or the time .*appointment_date/),
    ]);
    const made = templateOf('appointment', 'en', { name: 'Auto', fields: without });
    expect(stepsOf(made).map(({ id }) => id)).not.toContain('time');
    for (const name of ['appointment_date', 'preferred_time'])
      expect([name, templateWarnings('appointment', mapping({ name }))]).toEqual([name, []]);
    expect(templateWarnings('quiz', without)).toEqual([]);
  });

  it('vsl begins with its video', () => {
    expect(typesOf(make('vsl').blocks).slice(0, 3)).toEqual(['hero', 'video', 'cta']);
  });

  it('lead_form is one step where the campaign needs little more than contact data', () => {
    const fields = mapping(yesNo('owner'), {
      name: 'zip_code',
      type: 'Zip / Postal Code',
      required: true,
    });
    const definition = templateOf('lead_form', 'en', { name: 'Auto', fields });
    expect(stepsOf(definition)).toMatchObject([
      {
        title: 'Your request',
        fields: ['owner', 'zip_code', 'full_name', 'phone', 'email'].map((name) => ({ name })),
      },
    ]);
    expect(definition.progress).toBe(false);
  });

  it('requires fields that only pings need, which pages would show as optional', () => {
    const fields = mapping({ name: 'zip_code', type: 'Zip / Postal Code', ping_required: true });
    const { blocks } = templateOf('lead_form', 'en', { name: 'Auto', fields });
    expect(stepsOf({ blocks })[0]).toMatchObject({
      fields: expect.arrayContaining([
        { name: 'zip_code', label: 'ZIP code', required: true },
      ]) as unknown,
    });
  });

  it('fills in the source of its leads instead of asking, where the campaign requires it', () => {
    const hidden = (source: Partial<FieldRule>) =>
      templateOf('quiz', 'en', {
        name: 'Auto',
        fields: mapping({ name: 'source', required: true, ...source }),
      }).hidden_fields;
    expect(hidden({})).toEqual({ source: 'funnel' });
    expect(hidden({ allowed_values: ['radio', 'tv'] })).toEqual({ source: 'radio' });
  });
});

const TEXTS = ['a', 'B b', '1', 'x'.repeat(130), '👩‍👩‍👧', 'true', '<b>'];
const NAMES = [
  'full_name',
  'first_name',
  'source',
  'state',
  'preferred_time',
  'visit_date',
  'a',
  'b_c',
  'd',
];

/** Mappings that the account accepts. */
const anyMapping = fc
  .uniqueArray(
    fc.record(
      {
        name: fc.constantFrom(...NAMES),
        type: fc.constantFrom(...FIELD_TYPE_NAMES),
        required: fc.boolean(),
        ping_required: fc.boolean(),
        label: fc.option(fc.constantFrom('Label', '', ' ', 'x'.repeat(200), '\u200b', '🎈'), {
          nil: undefined,
        }),
        allowed_values: fc.option(fc.subarray(TEXTS, { minLength: 1 }), { nil: undefined }),
        max_length: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        strict: fc.option(fc.boolean(), { nil: undefined }),
        default: fc.option(fc.constantFrom<string | number | boolean>('a', 1, true, ''), {
          nil: undefined,
        }),
      },
      { requiredKeys: ['name', 'type', 'required', 'ping_required'] },
    ),
    { selector: ({ name }) => name, maxLength: 6 },
  )
  .map((rules) =>
    rules.map((rule) => aField(rule)).filter((rule) => checkFieldRules([rule]).length === 0),
  );
