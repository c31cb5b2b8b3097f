/** A definition is accepted, or refused with the place and the rule of each problem. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkAgainstCampaign } from '../../../src/funnels/rules/checkAgainstCampaign.js';
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';
import { readDefinition } from '../../../src/funnels/rules/readDefinition.js';
import { BREAKS, copyOf } from './breaks.js';
import { BRIEFS } from './briefs.js';

const read = (input: unknown, ownOrigin = false) => readDefinition(input, { ownOrigin });
const faultsIn = (input: unknown, ownOrigin = false) => {
  const result = read(input, ownOrigin);
  return result.ok ? [] : result.details;
};
const SOLAR = BRIEFS[0]!.definition;
const changed = (changes: Partial<FunnelDefinitionInput> | Record<string, unknown>): unknown => ({
  ...SOLAR,
  ...changes,
});
const withBlock = (block: Record<string, unknown>) => changed({ blocks: [block, ...SOLAR.blocks] });

describe('five definitions written by hand from five paragraphs', () => {
  it.each(BRIEFS)('accepts $title, at once and for its campaign', ({ definition, fields }) => {
    const result = read(definition);
    if (!result.ok) throw new Error(JSON.stringify(result.details));
    expect(result.warnings).toEqual([]);
    expect(checkAgainstCampaign(result.definition, fields, {})).toEqual([]);
  });

  it.each(BRIEFS)('reads $title back unchanged', ({ definition }) => {
    const first = read(definition);
    if (!first.ok) throw new Error('refused');
    expect(read(first.definition)).toEqual(first);
  });
});

describe('broken definitions', () => {
  const names = Object.keys(BREAKS);

  it('refuses 200, drawn from every kind of mistake, each with its place and a rule', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.nat(names.length - 1),
        fc.nat(BRIEFS.length - 1),
        fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
        (kind, brief, numbers) => {
          const draft = copyOf(BRIEFS[brief]!.definition);
          const name = names[kind]!;
          const place = BREAKS[name]!(draft, (n) => (numbers.pop() ?? 0) % n);
          fc.pre(place !== null);
          seen.add(name);
          const faults = faultsIn(draft);
          expect(faults.map(({ path }) => path)).toContainEqual(
            expect.stringMatching(new RegExp(`^${escaped(place)}`)),
          );
          for (const { path, message } of faults) {
            expect(path).toMatch(/^definition/);
            expect(message.startsWith(`${path} `)).toBe(true);
            expect(message).toMatch(/\b(?:must|is|has|cannot)\b.*[.?]$/s);
            expect(message).not.toMatch(/Invalid|expected|undefined/);
          }
        },
      ),
      // Fixed, because what is drawn is counted below.
      { numRuns: 200, seed: 28, maxSkipsPerRun: 1_000 },
    );
    expect(seen.size).toBeGreaterThan(names.length * 0.8);
  });

  it.each(names)('refuses %s in some definition of the five', (name) => {
    const places = BRIEFS.flatMap(({ definition }) => {
      const draft = copyOf(definition);
      const place = BREAKS[name]!(draft, () => 0);
      return place === null ? [] : [{ place, paths: faultsIn(draft).map(({ path }) => path) }];
    });
    expect(places.length).toBeGreaterThan(0);
    for (const { place, paths } of places)
      expect(paths.some((path) => path.startsWith(place))).toBe(true);
  });

  it('answers any JSON at any place with a result, and never throws', () => {
    fc.assert(
      fc.property(
        fc.nat(BRIEFS.length - 1),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
        fc.jsonValue(),
        (brief, steps, value) => {
          const draft = copyOf(BRIEFS[brief]!.definition);
          replaceAt(draft, steps, value);
          const result = read(draft, true);
          if (result.ok) return;
          expect(result.details.length).toBeGreaterThan(0);
          expect(result.details.every(({ path }) => path.startsWith('definition'))).toBe(true);
        },
      ),
    );
  });

  it.each([undefined, null, 'text', 7, [], true])('refuses %p as a whole', (input) => {
    expect(faultsIn(input)[0]).toMatchObject({ path: 'definition' });
  });
});

describe('all problems at once', () => {
  it('lists violations of the schema and of rules across its parts', () => {
    const faults = faultsIn(
      changed({
        title: '',
        thanks: { title: 'Thanks', redirect_url: 'https://elsewhere.example.net/' },
        redirect_domains: ['example.org'],
        language: 'pl',
        theme: { primaryColour: '#ffffff' },
      }),
    );
    expect(faults.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
      'definition.texts required',
      'definition.thanks.redirect_url not_allowed',
      'definition.theme.primaryColour not_allowed',
      'definition.title required',
    ]);
    expect(faults.map(({ message }) => message).join(' ')).toContain('Did you mean primaryColor?');
  });

  it('names the nearest key in a block, in an option and in a list', () => {
    const messages = faultsIn(
      withBlock({
        id: 'q',
        type: 'quiz_step',
        title: 'Question',
        fild: 'x',
        field: 'x',
        options: [
          { value: 1, label: 'One', nxt: 'contact' },
          { value: 2, label: 'Two' },
        ],
      }),
    ).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('definition.blocks[0].options[0].nxt is not a key'),
      expect.stringContaining('definition.blocks[0].fild is not a key'),
    ]);
    expect(messages[0]).toContain('Did you mean next?');
    expect(messages[1]).toContain('Did you mean field?');
  });

  it('names the nearest text', () => {
    const [fault] = faultsIn(changed({ texts: { sumbit: 'Go' } }));
    expect(fault?.message).toMatch(
      /^definition\.texts\.sumbit is not a key .* Did you mean submit\?$/,
    );
  });

  it('names 20 unknown keys of one object, however many there are', () => {
    const keys = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`key${at}`, 1]));
    expect(faultsIn(changed({ ...keys, title: '' }))).toHaveLength(21);
  });

  it('lists 200 problems, and says how many more there are', () => {
    const options = Array.from({ length: 60 }, () => ({ value: '', label: '' }));
    const blocks = Array.from({ length: 6 }, (_, at) => ({
      id: `q${at}`,
      type: 'quiz_step',
      title: 'Q',
      field: `f${at}`,
      options,
    }));
    const faults = faultsIn(changed({ blocks }));
    expect(faults).toHaveLength(201);
    expect(faults.at(-1)?.message).toMatch(/^definition has \d+ more problems\.$/);
  });
});

describe('texts', () => {
  it('keeps markup, right-to-left writing and emojis as they are written', () => {
    const title = '<script>alert("1")</script> & مرحبا 👩‍👩‍👧 \u202eabc';
    const result = read(changed({ title }));
    expect(result.ok && result.definition.title).toBe(title);
  });

  it.each([
    ['10,000 characters', 'x'.repeat(10_000), 'too_long'],
    ['NUL', 'a\0b', 'invalid_format'],
    ['half a character', '\ud83d', 'invalid_format'],
    ['nothing to see', '\u200b\u200e', 'invalid_format'],
  ])('refuses %s in every text', (_, text, code) => {
    for (const { definition } of BRIEFS) {
      const places = textPlaces(definition, 'definition');
      expect(places.length).toBeGreaterThan(10);
      for (const place of places) {
        const copy = structuredClone(definition);
        setAt(copy, place.steps, text);
        expect(faultsIn(copy)).toContainEqual(expect.objectContaining({ path: place.path, code }));
      }
    }
  });
});

describe('certificates of consent', () => {
  const both = { trusted_form: true, jornaya_campaign_id: 'ABCD-1234' };

  it('are refused where funnels have no origin of their own, each with its place', () => {
    const rule = 'this installation has no origin of its own for funnels (FUNNELS_URL)';
    expect(faultsIn(changed({ certificates: both }))).toMatchObject([
      {
        path: 'definition.certificates.trusted_form',
        code: 'not_allowed',
        message: expect.stringContaining(`must be false: ${rule}`),
      },
      {
        path: 'definition.certificates.jornaya_campaign_id',
        code: 'not_allowed',
        message: expect.stringContaining(`must be null: ${rule}`),
      },
    ]);
    expect(read(changed({ certificates: both }), true)).toMatchObject({
      ok: true,
      definition: { certificates: both },
    });
  });
});

describe('custom_code', () => {
  const HTML =
    '<h2 id="lw-form">Hi</h2><script>steal()</script><img src="https://spy.example.net/x.gif">' +
    '<a href="javascript:steal()" onclick="steal()">a</a><a href="https://example.org">b</a>' +
    '<form action="https://spy.example.net"><input name="phone"></form><style>*{}</style><iframe></iframe>';

  it('is refused where funnels have no origin of their own', () => {
    const [fault] = faultsIn(withBlock({ id: 'code', type: 'custom_code', html: HTML }));
    expect(fault).toMatchObject({ path: 'definition.blocks[0].type', code: 'not_allowed' });
  });

  it('is kept without scripts, loads and forms, with a warning', () => {
    const result = read(withBlock({ id: 'code', type: 'custom_code', html: HTML }), true);
    if (!result.ok) throw new Error('refused');
    expect(result.definition.blocks[0]).toMatchObject({
      html: '<h2>Hi</h2><img /><a target="_top" rel="noopener">a</a><a href="https://example.org" target="_top" rel="noopener">b</a>',
    });
    expect(result.warnings).toEqual([expect.stringContaining('definition.blocks[0].html')]);
    expect(read(result.definition, true)).toEqual({ ...result, warnings: [] });
  });
});

describe('warnings', () => {
  it('names colors that are hard to read, and their contrast', () => {
    const result = read(changed({ theme: { textColor: '#999999', primaryColor: '#facc15' } }));
    expect(result.ok && result.warnings).toEqual([
      expect.stringMatching(/textColor is hard to read on backgroundColor: .* 2\.8:1/),
      expect.stringMatching(/buttonTextColor is hard to read on primaryColor: .* 1\.5:1/),
      expect.stringMatching(/primaryColor is hard to read on backgroundColor/),
    ]);
  });

  it('reports a missing privacy policy, and example addresses', () => {
    const result = read(
      changed({
        blocks: [
          { id: 'v', type: 'video', title: 'V', url: 'https://www.example.com/video.mp4' },
          ...SOLAR.blocks.filter(({ type }) => type !== 'footer'),
        ],
      }),
    );
    expect(result.ok && result.warnings).toEqual([
      expect.stringContaining('no footer with a link to a privacy policy'),
      expect.stringContaining('definition.blocks[0].url is an example'),
    ]);
  });

  it('names placeholders that are missing or unknown', () => {
    const result = read(changed({ texts: { step_of: 'Step {n} of {steps}' } }));
    expect(result.ok && result.warnings).toEqual([
      expect.stringContaining('texts.step_of has {n}'),
      expect.stringContaining('texts.step_of lacks {step}'),
    ]);
  });
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Follows the numbers down the definition, and puts the value there. */
function replaceAt(root: unknown, steps: readonly number[], value: unknown): void {
  let at = root as Record<string, unknown>;
  for (const [depth, step] of steps.entries()) {
    const keys = Object.keys(at);
    const key = keys[step % (keys.length || 1)];
    if (key === undefined) return;
    const next = at[key];
    if (depth === steps.length - 1 || typeof next !== 'object' || next === null) {
      at[key] = value;
      return;
    }
    at = next as Record<string, unknown>;
  }
}

interface Place {
  path: string;
  steps: (string | number)[];
}

/** Keys with texts that no visitor reads, or with a form of their own. */
const NO_TEXT = new Set(
  (
    'type id field name icon next not_qualified language url captions_url redirect_url domains redirect_domains ' +
    'hidden_fields theme'
  ).split(' '),
);

/** Every text that a visitor reads. */
function textPlaces(value: unknown, path: string, steps: Place['steps'] = []): Place[] {
  if (Array.isArray(value))
    return value.flatMap((one, at) => textPlaces(one, `${path}[${at}]`, [...steps, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]): Place[] => {
    const place = { path: `${path}.${key}`, steps: [...steps, key] };
    if (NO_TEXT.has(key)) return [];
    return typeof one === 'string' ? [place] : textPlaces(one, place.path, place.steps);
  });
}

function setAt(root: unknown, steps: Place['steps'], value: unknown): void {
  const last = steps.at(-1)!;
  const parent = steps
    .slice(0, -1)
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], root);
  (parent as Record<string, unknown>)[last] = value;
}
