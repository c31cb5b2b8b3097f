/** Ways to break a definition: each changes one thing, and returns the path that the refusal must name. */
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';

type Json = Record<string, unknown>;
interface Draft {
  [key: string]: unknown;
  blocks: Json[];
}

/** Draws a number below `n`. */
export type Draw = (n: number) => number;
/** The beginning of the path that the refusal must name; null: this definition cannot be broken that way. */
export type Break = (draft: Draft, draw: Draw) => string | null;

export const copyOf = (definition: FunnelDefinitionInput): Draft => structuredClone(definition);

const isStep = ({ type }: Json): boolean => type === 'quiz_step' || type === 'form';

/** A random block of a kind. */
const pick = (draft: Draft, draw: Draw, isWanted: (block: Json) => boolean) => {
  const places = draft.blocks.flatMap((block, at) => (isWanted(block) ? [at] : []));
  const at = places[draw(places.length || 1)];
  const block = at === undefined ? undefined : draft.blocks[at];
  return block && at !== undefined ? { block, at, path: `definition.blocks[${at}]` } : null;
};
const quiz = ({ type }: Json): boolean => type === 'quiz_step';
const listOf = (block: Json, key: string): Json[] => block[key] as Json[];

const drop =
  (key: string): Break =>
  (draft) => {
    Reflect.deleteProperty(draft, key);
    return `definition.${key}`;
  };
const put =
  (path: string, alter: (draft: Draft) => void): Break =>
  (draft) => {
    alter(draft);
    return `definition.${path}`;
  };
const inBlock =
  (isWanted: (block: Json) => boolean, key: string, alter: (block: Json) => void): Break =>
  (draft, draw) => {
    const found = pick(draft, draw, isWanted);
    if (!found) return null;
    alter(found.block);
    return key === '' ? found.path : `${found.path}.${key}`;
  };
const inOption =
  (key: string, alter: (option: Json, block: Json) => void): Break =>
  (draft, draw) => {
    const found = pick(draft, draw, quiz);
    if (!found) return null;
    const options = listOf(found.block, 'options');
    const n = draw(options.length);
    alter(options[n]!, found.block);
    return `${found.path}.options[${n}].${key}`;
  };
const inField =
  (key: string, alter: (field: Json) => void): Break =>
  (draft, draw) => {
    const found = pick(draft, draw, ({ type }) => type === 'form');
    if (!found) return null;
    const fields = listOf(found.block, 'fields');
    const n = draw(fields.length);
    alter(fields[n]!);
    return `${found.path}.fields[${n}].${key}`;
  };

const BLANKS = ['', ' ', '\t', '\u00a0', '\u200b'];
const NO_TEXTS = [null, 7, true, [], {}, 'a\0b', '\ud800', 'x'.repeat(10_001)];

export const BREAKS: Record<string, Break> = {
  'no title': drop('title'),
  'no blocks': drop('blocks'),
  'no consent': drop('consent'),
  'no thanks': drop('thanks'),
  'no page for no buyer': drop('no_buyer'),
  'an unknown key': put('titel', (draft) => (draft.titel = 'Title')),
  'a text of the wrong kind': (draft, draw) => {
    draft.title = NO_TEXTS[draw(NO_TEXTS.length)];
    return 'definition.title';
  },
  'a blank text': (draft, draw) => {
    draft.title = BLANKS[draw(BLANKS.length)];
    return 'definition.title';
  },
  'blocks that are no list': put('blocks', (draft) => (draft.blocks = {} as Json[])),
  'an empty list of blocks': put('blocks', (draft) => (draft.blocks = [])),
  'too many blocks': put('blocks', (draft) => {
    const filler = (_: unknown, at: number): Json => ({ id: `t${at}`, type: 'text', text: 'x' });
    draft.blocks = [...Array.from({ length: 60 }, filler), ...draft.blocks];
  }),
  'a language that is no tag': put('language', (draft) => (draft.language = 'english!')),
  'a language without its texts': put('texts', (draft) => {
    draft.language = 'fr';
    draft.texts = { back: 'Retour' };
  }),
  'an unknown text': put('texts', (draft) => (draft.texts = { goodbye: 'Bye' })),
  'a color by name': put('theme.primaryColor', (draft) => (draft.theme = { primaryColor: 'red' })),
  'an unknown theme key': put('theme.primary_color', (draft) => {
    draft.theme = { primary_color: '#ffffff' };
  }),
  'a radius out of bounds': put('theme.radius', (draft) => (draft.theme = { radius: 99 })),
  'a logo from elsewhere': put('theme.logoUrl', (draft) => {
    draft.theme = { logoUrl: 'https://example.org/logo.png' };
  }),
  'a consent without text': put('consent.text', (draft) => (draft.consent = { text: ' ' })),
  'a redirect to a host that is not allowed': put('thanks.redirect_url', (draft) => {
    draft.thanks = { title: 'Thanks', redirect_url: 'https://evil.example.net/' };
  }),
  'a redirect by script': put('no_buyer.redirect_url', (draft) => {
    draft.no_buyer = { title: 'Sorry', redirect_url: 'javascript:alert(1)' };
  }),
  'a domain with a path': put('redirect_domains[0]', (draft) => {
    draft.redirect_domains = ['https://example.org/x'];
  }),
  'a frame anywhere': put('embed.domains[0]', (draft) => (draft.embed = { domains: ['*'] })),
  'a hidden value that is no value': put('hidden_fields.source', (draft) => {
    draft.hidden_fields = { source: { text: 'x' } };
  }),
  'a threshold of none': put('protection.submissions_per_minute', (draft) => {
    draft.protection = { submissions_per_minute: 0 };
  }),
  'an id of a Jornaya account with a script': put(
    'certificates.jornaya_campaign_id',
    (draft) => (draft.certificates = { jornaya_campaign_id: '"><script>' }),
  ),
  'a block of an unknown type': inBlock(
    () => true,
    'type',
    (block) => (block.type = 'carousel'),
  ),
  'a block without a type': inBlock(
    () => true,
    'type',
    (block) => Reflect.deleteProperty(block, 'type'),
  ),
  'a block that is no object': (draft, draw) => {
    const at = draw(draft.blocks.length);
    draft.blocks[at] = 'hero' as unknown as Json;
    return `definition.blocks[${at}]`;
  },
  'an id with blanks': inBlock(
    () => true,
    'id',
    (block) => (block.id = 'my block'),
  ),
  'an id twice': (draft, draw) => {
    const at = 1 + draw(draft.blocks.length - 1);
    draft.blocks[at]!.id = draft.blocks[at - 1]!.id;
    return `definition.blocks[${at}].id`;
  },
  'an unknown key of a block': inBlock(
    () => true,
    'titel',
    (block) => (block.titel = 'x'),
  ),
  'no form at the end': (draft) => {
    draft.blocks = draft.blocks.filter(({ type }) => type !== 'form');
    return 'definition.blocks';
  },
  'a step that no answer leads to': (draft) => {
    const first = draft.blocks.findIndex(isStep);
    if (draft.blocks[first]?.type !== 'quiz_step') return null;
    for (const option of listOf(draft.blocks[first], 'options')) {
      option.not_qualified = 'out';
      Reflect.deleteProperty(option, 'next');
    }
    draft.not_qualified_pages = [{ id: 'out', title: 'Sorry' }];
    const next = draft.blocks.findIndex((block, at) => at > first && isStep(block));
    return `definition.blocks[${next}]`;
  },
  'a next step that does not exist': inOption('next', (option) => {
    option.next = 'nowhere';
    Reflect.deleteProperty(option, 'not_qualified');
  }),
  'a next step that is the step itself': inOption('next', (option, block) => {
    option.next = block.id;
    Reflect.deleteProperty(option, 'not_qualified');
  }),
  'a page that does not exist': inOption('not_qualified', (option) => {
    option.not_qualified = 'nowhere';
    Reflect.deleteProperty(option, 'next');
  }),
  'an answer that leads on and ends': inOption('not_qualified', (option, block) => {
    option.next = block.id;
    option.not_qualified = 'out';
  }),
  'an option without a label': inOption('label', (option) =>
    Reflect.deleteProperty(option, 'label'),
  ),
  'an option without a value': inOption('value', (option) => (option.value = '')),
  'an option with an unknown icon': inOption('icon', (option) => (option.icon = 'skull')),
  'an option with an unknown key': inOption('go_to', (option) => (option.go_to = 'contact')),
  'two options of one value': (draft, draw) => {
    const found = pick(draft, draw, quiz);
    if (!found) return null;
    const options = listOf(found.block, 'options');
    options[1]!.value = options[0]!.value;
    return `${found.path}.options[1].value`;
  },
  'one option only': inBlock(quiz, 'options', (block) => {
    block.options = listOf(block, 'options').slice(0, 1);
  }),
  'a question without a field': inBlock(quiz, 'field', (block) =>
    Reflect.deleteProperty(block, 'field'),
  ),
  'a form without fields': inBlock(
    ({ type }) => type === 'form',
    'fields',
    (block) => (block.fields = []),
  ),
  'a field without a label': inField('label', (field) => Reflect.deleteProperty(field, 'label')),
  'a field that is asked twice': (draft, draw) => {
    const found = pick(draft, draw, ({ type }) => type === 'form');
    if (!found) return null;
    const fields = listOf(found.block, 'fields');
    found.block.fields = [...fields, fields[0]!];
    return `${found.path}.fields[${fields.length}].name`;
  },
  'required as a word': inField('required', (field) => (field.required = 'yes')),
  'a help that is too long': inField('help', (field) => (field.help = 'x'.repeat(301))),
  'code of its own': (draft) => {
    draft.blocks = [{ id: 'code', type: 'custom_code', html: '<b>x</b>' }, ...draft.blocks];
    return 'definition.blocks[0].type';
  },
};
