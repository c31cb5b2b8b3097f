/** A funnel is published only when its campaign accepts the leads that it makes. */
import { describe, expect, it } from '@jest/globals';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import { checkAgainstCampaign } from '../../../src/funnels/rules/checkAgainstCampaign.js';
import {
  FunnelDefinition,
  type FunnelDefinitionInput,
} from '../../../src/funnels/rules/definition.js';
import { BRIEFS } from './briefs.js';
import { listOf, mapping, yesNo } from './mapping.js';

type Blocks = FunnelDefinitionInput['blocks'];

const CONTACT = ['full_name', 'phone', 'email'];
const form = (id: string, ...names: string[]): Blocks[number] => ({
  id,
  type: 'form',
  title: id,
  fields: names.map((name) => ({ name, label: name })),
});
const quiz = (id: string, options: object[], more: object = {}) =>
  ({ id, type: 'quiz_step', title: id, field: id, options, ...more }) as Blocks[number];

function faultsOf(
  blocks: Blocks,
  fields: FieldRule[],
  {
    hidden_fields,
    ...options
  }: { hidden_fields?: Record<string, string | number>; isPingPost?: boolean } = {},
): string[] {
  const definition = FunnelDefinition.parse({
    title: 'T',
    blocks,
    consent: { text: 'C' },
    thanks: { title: 'T' },
    no_buyer: { title: 'N' },
    ...(hidden_fields ? { hidden_fields } : {}),
  } satisfies FunnelDefinitionInput);
  const faults = checkAgainstCampaign(
    definition,
    fields,
    { isValidPhone: (phone) => phone.startsWith('+1') },
    options,
  );
  return faults.map(({ path, code, message }) => {
    expect(message.startsWith(path)).toBe(true);
    return `${path} ${code}: ${message.slice(path.length + 1)}`;
  });
}

describe('fields', () => {
  it('accepts full_name as first_name and last_name', () => {
    expect(faultsOf([form('contact', ...CONTACT)], mapping())).toEqual([]);
    expect(
      faultsOf([form('contact', 'first_name', 'last_name', 'phone', 'email')], mapping()),
    ).toEqual([]);
  });

  it('does not split full_name where the campaign has a field of that name', () => {
    const faults = faultsOf([form('contact', ...CONTACT)], mapping({ name: 'full_name' }));
    expect(faults).toEqual([
      expect.stringMatching(/^definition\.blocks\[0\]\.fields required: must ask first_name: /),
      expect.stringMatching(/^definition\.blocks\[0\]\.fields required: must ask last_name: /),
    ]);
  });

  it('refuses a field that the campaign does not have, and names the block and the nearest field', () => {
    const [fault] = faultsOf(
      [form('loan', 'loan_amout'), form('contact', ...CONTACT)],
      mapping({ name: 'loan_amount' }),
    );
    expect(fault).toBe(
      'definition.blocks[0].fields[0].name not_allowed: is not a field of the campaign: the block loan asks ' +
        'loan_amout. Did you mean loan_amount?',
    );
  });

  it('refuses first_name where full_name was asked before it, and accepts each on a branch of its own', () => {
    const fields = mapping(yesNo('owner'));
    const both = [
      form('name', 'full_name'),
      form('contact', 'last_name', 'phone', 'email', 'owner'),
    ];
    expect(faultsOf(both, fields)).toEqual([
      expect.stringMatching(
        /^definition\.blocks\[1\]\.fields\[0\]\.name not_allowed: must be left out/,
      ),
    ]);
    const apart: Blocks = [
      quiz('owner', [
        { value: true, label: 'Yes', next: 'whole' },
        { value: false, label: 'No', next: 'parts' },
      ]),
      form('whole', 'full_name'),
      form('parts', 'zip_code'),
      form('contact', 'phone', 'email'),
    ];
    expect(faultsOf(apart, fields)).toEqual([
      expect.stringContaining(
        'must ask first_name: the campaign requires it, and some answers lead past whole',
      ),
      expect.stringContaining('must ask last_name: '),
    ]);
  });

  it('refuses options for full_name, because an option cannot be split', () => {
    const blocks = [
      quiz(
        'who',
        [
          { value: 'A B', label: 'A' },
          { value: 'C D', label: 'C' },
        ],
        { field: 'full_name' },
      ),
      form('contact', 'phone', 'email'),
    ];
    expect(faultsOf(blocks, mapping())).toContainEqual(
      expect.stringMatching(/^definition\.blocks\[0\]\.field not_allowed: /),
    );
  });
});

describe('what the campaign requires', () => {
  const fields = mapping({ name: 'loan_amount', type: 'Number', required: true });

  it('refuses a funnel that does not ask for it', () => {
    expect(faultsOf([form('contact', ...CONTACT)], fields)).toEqual([
      'definition.blocks[0].fields required: must ask loan_amount: the campaign requires it, and no block asks it; ' +
        'ask it in the form contact, or set it in hidden_fields.',
    ]);
  });

  it('refuses a funnel in which one path skips it', () => {
    const blocks: Blocks = [
      quiz('goal', [
        { value: 'a', label: 'A', next: 'contact' },
        { value: 'b', label: 'B' },
      ]),
      form('loan', 'loan_amount'),
      form('contact', ...CONTACT),
    ];
    const campaign = [...fields, ...mapping({ name: 'goal' }).slice(-1)];
    expect(faultsOf(blocks, campaign)).toEqual([
      expect.stringMatching(
        /^definition\.blocks\[2\]\.fields required: must ask loan_amount: .* lead past loan/,
      ),
    ]);
  });

  it('accepts a path that skips it and ends without a lead', () => {
    const blocks: Blocks = [
      quiz('goal', [
        { value: 'a', label: 'A', not_qualified: 'sorry' },
        { value: 'b', label: 'B' },
      ]),
      form('loan', 'loan_amount'),
      form('contact', ...CONTACT),
    ];
    expect(faultsOf(blocks, [...fields, ...mapping({ name: 'goal' }).slice(-1)])).toEqual([]);
  });

  it('accepts a hidden value and a default in its place', () => {
    const blocks = [form('contact', ...CONTACT)];
    expect(faultsOf(blocks, fields, { hidden_fields: { loan_amount: 100 } })).toEqual([]);
    const withDefault = mapping({
      name: 'loan_amount',
      type: 'Number',
      required: true,
      default: 5,
    });
    expect(faultsOf(blocks, withDefault)).toEqual([]);
  });

  it('refuses a question that a visitor may skip', () => {
    const options = [
      { value: 1, label: '1' },
      { value: 2, label: '2' },
    ];
    const blocks = [quiz('loan_amount', options, { required: false }), form('contact', ...CONTACT)];
    expect(faultsOf(blocks, fields)).toEqual([
      expect.stringMatching(/^definition\.blocks\[0\]\.required not_allowed: must be true/),
    ]);
  });

  it('asks for what a ping needs only where pings come first, whatever its default is', () => {
    const pinged = mapping({ name: 'goal', ping_required: true, default: 'x' });
    const blocks = [form('contact', ...CONTACT)];
    expect(faultsOf(blocks, pinged)).toEqual([]);
    expect(faultsOf(blocks, pinged, { isPingPost: true })).toEqual([
      expect.stringContaining('must ask goal'),
    ]);
  });
});

describe('values', () => {
  it.each<[string, Partial<FieldRule> & { name: string }, unknown, string]>([
    ['a value that is not allowed', listOf('q', ['a', 'b']), 'c', 'must be one of: a, b'],
    ['a text for a number', { name: 'q', type: 'Number' }, 'many', 'must be a number'],
    ['a number out of bounds', { name: 'q', type: 'Number', max: 3 }, 9, 'must be at most 3'],
    ['a number for yes or no', yesNo('q'), 7, 'must be true or false'],
    ['a state that does not exist', { name: 'q', type: 'State' }, 'XX', 'two-letter US state'],
    ['a text that is too long', { name: 'q', max_length: 2 }, 'abc', 'at most 2 characters'],
    ['a text of another pattern', { name: 'q', pattern: '^x' }, 'abc', 'must match the pattern'],
    [
      'a phone that does not exist',
      { name: 'q', type: 'Phone', strict: true },
      '+49301234567',
      'exists',
    ],
    [
      'what a transform leaves empty',
      { name: 'q', transforms: ['digits'] },
      'abc',
      'would be empty',
    ],
  ])('refuses an option with %s, by block and field', (_, field, value, rule) => {
    const options = [
      { value, label: 'One' },
      { value: `${String(value)} `.repeat(2), label: 'Two' },
    ];
    const blocks = [quiz('question', options, { field: 'q' }), form('contact', ...CONTACT)];
    const [fault] = faultsOf(blocks, mapping(field));
    expect(fault).toMatch(/^definition\.blocks\[0\]\.options\[0\]\.value /);
    expect(fault).toContain('q in question');
    expect(fault).toContain(rule);
  });

  it('checks the options of a form, too', () => {
    const blocks: Blocks = [
      {
        id: 'contact',
        type: 'form',
        title: 'Contact',
        fields: [
          ...CONTACT.map((name) => ({ name, label: name })),
          {
            name: 'cars',
            label: 'Cars',
            options: [
              { value: 1, label: '1' },
              { value: 9, label: '9' },
            ],
          },
        ],
      },
    ];
    expect(faultsOf(blocks, mapping({ name: 'cars', type: 'Number', max: 5 }))).toEqual([
      expect.stringMatching(
        /^definition\.blocks\[0\]\.fields\[3\]\.options\[1\]\.value out_of_range/,
      ),
    ]);
  });

  it('refuses hidden values of fields that do not exist, and those that their field refuses', () => {
    const blocks = [form('contact', ...CONTACT)];
    const fields = mapping(listOf('channel', ['radio', 'tv']));
    expect(
      faultsOf(blocks, fields, {
        hidden_fields: { chanel: 'tv', channel: 'web', test_lead: 'true' },
      }),
    ).toEqual([
      expect.stringMatching(
        /^definition\.hidden_fields\.chanel not_allowed: .* Did you mean channel\?$/,
      ),
      expect.stringMatching(/^definition\.hidden_fields\.channel not_allowed: .*radio, tv/),
      expect.stringMatching(/^definition\.hidden_fields\.test_lead not_allowed: /),
    ]);
  });
});

describe('a mapping that changes under a funnel', () => {
  it('breaks each of the five funnels when one of the fields that it asks is gone', () => {
    for (const { definition, fields } of BRIEFS) {
      const read = FunnelDefinition.parse(definition);
      const system = mapping().map(({ name }) => name);
      const own = fields.filter(({ name }) => !system.includes(name));
      for (const gone of own) {
        const left = fields.filter((rule) => rule !== gone);
        const messages = checkAgainstCampaign(read, left, {}).map(({ message }) => message);
        expect(messages).toContainEqual(expect.stringContaining(gone.name));
      }
      const more = [...fields, ...mapping(yesNo('brand_new')).slice(-1)];
      expect(checkAgainstCampaign(read, more, {})).toHaveLength(1);
    }
  });
});
