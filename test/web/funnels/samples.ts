/** Funnels in the form that pages show, without a database. */
import { mergeFields } from '../../../src/account/plans/compilePlan.js';
import type { Reply } from '../../../src/api/http/endpoint.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import {
  FunnelDefinition,
  type FunnelDefinitionInput,
} from '../../../src/funnels/rules/definition.js';
import type { ShownFunnel } from '../../../src/funnels/shown.js';

const FIELDS: FieldRule[] = mergeFields([
  {
    name: 'home_type',
    type: 'List of Allowed Values',
    required: true,
    ping_required: false,
    allowed_values: ['house', 'condo', 'mobile', 'other'],
  },
  { name: 'owner', type: 'Boolean', required: true, ping_required: false },
  { name: 'roof_age', type: 'Number', required: false, ping_required: false, min: 0, max: 80 },
  { name: 'move_date', type: 'Date', required: false, ping_required: false },
  { name: 'website', type: 'URL', required: false, ping_required: false },
  { name: 'message', type: 'String', required: false, ping_required: false, max_length: 500 },
  {
    name: 'county',
    type: 'List of Allowed Values',
    required: false,
    ping_required: false,
    allowed_values: ['Travis', 'Hays', 'Bastrop', 'Comal', 'Bexar', 'Williamson'],
  },
]);

/** A quiz of three steps with every kind of block. */
export const QUIZ: FunnelDefinitionInput = {
  title: 'Roof check',
  description: 'What a new roof costs in your street.',
  blocks: [
    {
      id: 'top',
      type: 'hero',
      title: 'What would a new roof cost you?',
      subtitle: 'Answer three short questions and see what roofers near you charge this month.',
    },
    {
      id: 'badges',
      type: 'trust_badges',
      items: [
        { label: 'Free and without obligation', icon: 'check' },
        { label: 'Licensed roofers only', icon: 'shield' },
        { label: 'Two minutes', icon: 'clock' },
      ],
    },
    {
      id: 'home',
      type: 'quiz_step',
      title: 'What kind of home is it?',
      text: 'The roof of the building that you live in.',
      field: 'home_type',
      options: [
        { value: 'house', label: 'House', emoji: '🏠', icon: 'home' },
        { value: 'condo', label: 'Condo', emoji: '🏢', icon: 'building' },
        {
          value: 'mobile',
          label: 'Mobile home',
          emoji: '🚐',
          icon: 'truck',
          not_qualified: 'renters',
        },
        { value: 'other', label: 'Something else', emoji: '✨', icon: 'star' },
      ],
    },
    {
      id: 'owns',
      type: 'quiz_step',
      title: 'Do you own it?',
      field: 'owner',
      options: [
        { value: true, label: 'Yes, I own it' },
        { value: false, label: 'No, I rent', not_qualified: 'renters' },
      ],
    },
    {
      id: 'why',
      type: 'text',
      text: 'Roofers call from a local number.\n\nNobody else gets yours.',
    },
    {
      id: 'contact',
      type: 'form',
      title: 'Where do we send your prices?',
      text: 'You get up to three offers.',
      fields: [
        { name: 'first_name', label: 'First name' },
        { name: 'last_name', label: 'Last name' },
        { name: 'email', label: 'Email', placeholder: 'name@example.com' },
        { name: 'phone', label: 'Mobile phone', help: 'For the roofer who comes to measure.' },
        { name: 'state', label: 'State' },
        { name: 'zip_code', label: 'Zip code' },
        { name: 'roof_age', label: 'Age of the roof in years' },
      ],
      button: 'Show my prices',
    },
    {
      id: 'voices',
      type: 'testimonials',
      title: 'What homeowners say',
      items: [
        {
          quote: 'Three offers by noon, and the cheapest was the best.',
          name: 'Dana K.',
          location: 'Austin, TX',
          rating: 5,
        },
        {
          quote: 'They came the next day and kept to the price.',
          name: 'Luis M.',
          location: 'Waco, TX',
          rating: 4,
        },
        { quote: 'No sales calls afterwards. That alone was worth it.', name: 'Priya S.' },
      ],
    },
    {
      id: 'questions',
      type: 'faq',
      title: 'Questions',
      items: [
        {
          question: 'What does it cost me?',
          answer: 'Nothing. Roofers pay us when they reach you.',
        },
        {
          question: 'Who gets my number?',
          answer: 'At most three roofers with a license in your state.',
        },
      ],
    },
    {
      id: 'again',
      type: 'cta',
      text: 'Two minutes now can save you thousands.',
      label: 'See my prices',
    },
    {
      id: 'foot',
      type: 'footer',
      text: '© Roof Check Inc.',
      links: [
        { label: 'Privacy policy', url: 'https://roofs.example/privacy' },
        { label: 'Terms', url: 'https://roofs.example/terms' },
      ],
    },
  ],
  consent: {
    text: 'By ticking this box I agree that the companies named below may call and text me about roofing, also with an automatic dialer. Agreeing is no condition of buying anything.',
    sellers: ['Blue Roofing LLC', 'Hill Country Roofs'],
  },
  thanks: { title: 'Thank you', text: 'A roofer calls you within a day.' },
  no_buyer: { title: 'Nobody is free at the moment', text: 'Please try again next week.' },
  not_qualified_pages: [
    {
      id: 'renters',
      title: 'This is for owners',
      text: 'Ask the owner of your home to take the check.',
    },
  ],
};

export interface ShownOptions {
  fields?: FieldRule[];
  isPingPost?: boolean;
  isPreview?: boolean;
  isClosed?: boolean;
  slug?: string;
}

/** A funnel with this definition, by default open and live. */
export function shownOf(
  input: FunnelDefinitionInput,
  {
    fields = FIELDS,
    isPingPost = false,
    isPreview = false,
    isClosed = false,
    slug = 'roofs',
  }: ShownOptions = {},
): ShownFunnel {
  const definition = FunnelDefinition.parse(input);
  const at = new Date('2026-01-01T12:00:00Z');
  return {
    funnel: {
      _id: 'fun_1',
      org_id: 'org_1',
      name: 'Roofs',
      template: 'quiz',
      campaign_id: 'campaign-1',
      supplier_id: 'supplier-1',
      slug,
      status: 'published',
      definition,
      draft_version: 3,
      published_version: 2,
      published_draft: 3,
      published_at: at,
      created_at: at,
      updated_at: at,
    },
    version: 2,
    definition,
    fields,
    isPingPost,
    timeZone: 'America/Chicago',
    isPreview,
    isClosed,
  };
}

/** The definition with every text for visitors replaced by one text. */
export function withEveryText(input: FunnelDefinitionInput, text: string): FunnelDefinitionInput {
  const replaced = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaced(item, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, replaced(inner, name)]),
      );
    return typeof value === 'string' && !KEPT.has(key) ? text : value;
  };
  return replaced(input, '') as FunnelDefinitionInput;
}

/** Names, addresses and settings. */
const KEPT: ReadonlySet<string> = new Set(
  'id type field name icon emoji url value next not_qualified language image logoUrl fontFamily optionIconStyle'.split(
    ' ',
  ),
);

/** The document of an answer. @throws {TypeError} when the body is not a document */
export function bodyOf({ body }: Reply): string {
  if (typeof body !== 'string') throw new TypeError('The answer is no document');
  return body;
}
