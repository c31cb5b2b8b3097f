/** The definition of a new funnel: complete, and valid for its campaign. */
import type { FieldRule } from '../../../fields/fieldRule.js';
import { FunnelDefinition, type FunnelDefinitionInput } from '../definition.js';
import type { LanguageCopy, TemplateLanguage } from './copy.js';
import { ENGLISH } from './english.js';
import { TEMPLATE_NAMES, type TemplateName } from './names.js';
import { entryOf, formsOf, isAsked, isTime, needsOf, questionOf, type Needs } from './questions.js';
import { SPANISH } from './spanish.js';

type BlockInput = FunnelDefinitionInput['blocks'][number];

const TEMPLATE_COPY: Record<TemplateLanguage, LanguageCopy> = { en: ENGLISH, es: SPANISH };

/** Maximum questions of a quiz in addition to those that the campaign needs. */
const EXTRA_QUESTIONS_MAX = 3;
/** Questions with a step of their own; more are asked in forms. */
const QUESTIONS_MAX = 12;

interface TemplateSource {
  /** The campaign's name: it is part of what is kept with each consent, and no page shows it. */
  name: string;
  /** All of the campaign, those of the system included. */
  fields: readonly FieldRule[];
}

/** Asks every field that the campaign requires, for its leads and for their pings. */
export function templateOf(
  template: TemplateName,
  language: TemplateLanguage,
  campaign: TemplateSource,
): FunnelDefinition {
  const copy = TEMPLATE_COPY[language];
  const needs = needsOf(campaign.fields, copy.common);
  const { common, templates } = copy;
  const own = templates[template];
  const steps = STEPS[template](needs, campaign, copy);
  return FunnelDefinition.parse({
    language,
    title: own.title,
    description: own.description,
    theme: THEMES[template],
    progress: steps.length > 1,
    blocks: AROUND[template](steps, copy),
    consent: {
      text: common.consent,
      purpose: `${common.purpose} (${campaign.name})`.slice(0, 400),
    },
    hidden_fields: needs.hidden,
    thanks: common.thanks,
    no_buyer: common.noBuyer,
    not_qualified_pages:
      template === 'quiz' ? [{ id: 'not_qualified', ...common.notQualified }] : [],
  } satisfies FunnelDefinitionInput);
}

/** What the campaign lacks for the template to be all that its description says. A sentence each. */
export const templateWarnings = (template: TemplateName, fields: readonly FieldRule[]): string[] =>
  template === 'appointment' && !fields.some(isTime)
    ? [
        'The campaign has no field for the date or the time of an appointment, so the form does not ask when. Add one ' +
          'that is named like appointment_date or preferred_time, of the type Date, String or List of Allowed Values ' +
          '(add_campaign_fields), and ask it in a form of the definition (update_funnel).',
      ]
    : [];

/** The templates to choose from, for lists. */
export const describeTemplates = (
  language: TemplateLanguage,
): { template: TemplateName; name: string; description: string }[] =>
  TEMPLATE_NAMES.map((template) => {
    const { name, about } = TEMPLATE_COPY[language].templates[template];
    return { template, name, description: about };
  });

const THEMES: Record<TemplateName, FunnelDefinitionInput['theme']> = {
  lead_form: {},
  quiz: { primaryColor: '#6d28d9', accentColor: '#be185d', fontFamily: 'rounded', radius: 16 },
  appointment: { primaryColor: '#0f766e', accentColor: '#1d4ed8', radius: 10 },
  vsl: {
    primaryColor: '#facc15',
    accentColor: '#facc15',
    backgroundColor: '#0f172a',
    textColor: '#f1f5f9',
    buttonTextColor: '#1f2937',
    radius: 6,
  },
};

type MakeSteps = (needs: Needs, campaign: TemplateSource, copy: LanguageCopy) => BlockInput[];

const STEPS: Record<TemplateName, MakeSteps> = {
  lead_form: (needs, _, copy) => shortSteps('lead_form', needs, copy),
  vsl: (needs, _, copy) => shortSteps('vsl', needs, copy),
  quiz: (needs, campaign, copy) => {
    const asked = needs.choices
      .filter((choice, at) => choice.isNeeded || at < neededOf(needs).length + EXTRA_QUESTIONS_MAX)
      .slice(0, QUESTIONS_MAX);
    const questions = asked.map((choice, at) =>
      questionOf(`question-${at + 1}`, choice, copy.common),
    );
    const rest = neededOf(needs).filter((choice) => !asked.includes(choice));
    const details = [...rest.map(({ rule }) => rule), ...neededTimes(needs), ...needs.details];
    return [
      ...questions,
      ...placeSteps(questions.length > 0, details, campaign, copy),
      ...detailSteps(details, copy),
      contactStep('quiz', needs, copy),
    ];
  },
  appointment: (needs, campaign, copy) => {
    const times = needs.times.map((rule) => ({ ...entryOf(rule, copy.common), required: true }));
    const details = [...neededOf(needs).map(({ rule }) => rule), ...needs.details];
    return [
      ...formsOf('time', copy.common.time, times),
      ...placeSteps(times.length > 0, details, campaign, copy),
      ...detailSteps(details, copy),
      contactStep('appointment', needs, copy),
    ];
  },
};

const neededOf = (needs: Needs): Needs['choices'] =>
  needs.choices.filter(({ isNeeded }) => isNeeded);

const neededTimes = ({ times }: Needs): FieldRule[] => times.filter(isAsked);

/** Asks few fields in addition to the contact data: one step, one click. */
function shortSteps(template: TemplateName, needs: Needs, copy: LanguageCopy): BlockInput[] {
  const details = [
    ...neededOf(needs).map(({ rule }) => rule),
    ...neededTimes(needs),
    ...needs.details,
  ];
  const contact = contactStep(template, needs, copy);
  if (details.length > 3 || contact.type !== 'form')
    return [...detailSteps(details, copy), contact];
  if (details.length === 0) return [contact];
  const entries = details.map((rule) => entryOf(rule, copy.common));
  const heading = template === 'lead_form' ? copy.common.request : {};
  return [{ ...contact, ...heading, fields: [...entries, ...contact.fields] }];
}

/** Where the visitor is, as an easy first question; not where other questions come first. */
function placeSteps(
  hasOthers: boolean,
  details: readonly FieldRule[],
  { fields }: TemplateSource,
  { common }: LanguageCopy,
): BlockInput[] {
  const zip = fields.find(({ name }) => name === 'zip_code');
  if (hasOthers || !zip || details.includes(zip)) return [];
  return formsOf('place', common.place, [{ ...entryOf(zip, common), required: true }]);
}

const detailSteps = (rules: readonly FieldRule[], { common }: LanguageCopy): BlockInput[] =>
  formsOf(
    'details',
    common.details,
    rules.map((rule) => entryOf(rule, common)),
  );

const contactStep = (
  template: TemplateName,
  { contact }: Needs,
  { templates }: LanguageCopy,
): BlockInput => ({ id: 'contact', type: 'form', ...templates[template].contact, fields: contact });

type Surround = (steps: BlockInput[], copy: LanguageCopy) => BlockInput[];

/** The blocks around the steps: the head and arguments before, then answers and the foot. */
const AROUND: Record<TemplateName, Surround> = {
  lead_form: (steps, copy) => [
    hero('lead_form', copy),
    ...steps,
    badges(copy),
    howItWorks(copy),
    faq(copy),
    cta('lead_form', copy),
    footer(copy),
  ],
  quiz: (steps, copy) => [
    hero('quiz', copy),
    ...steps,
    badges(copy),
    faq(copy),
    cta('quiz', copy),
    footer(copy),
  ],
  appointment: (steps, copy) => [
    hero('appointment', copy),
    badges(copy),
    ...steps,
    howItWorks(copy),
    faq(copy),
    cta('appointment', copy),
    footer(copy),
  ],
  vsl: (steps, copy) => [
    hero('vsl', copy),
    { id: 'video', type: 'video', title: copy.common.video, url: VIDEO },
    cta('vsl', copy),
    ...steps,
    badges(copy),
    faq(copy),
    footer(copy),
  ],
};

/** Stands in for the designer's own video; a warning remains until it is replaced. */
const VIDEO = 'https://www.example.com/video.mp4';

const hero = (template: TemplateName, { templates }: LanguageCopy): BlockInput => ({
  id: 'hero',
  type: 'hero',
  ...templates[template].hero,
});

const cta = (template: TemplateName, { templates }: LanguageCopy): BlockInput => ({
  id: 'cta',
  type: 'cta',
  ...templates[template].cta,
});

const badges = ({ common }: LanguageCopy): BlockInput => ({
  id: 'assurances',
  type: 'trust_badges',
  items: [
    { label: common.badges.free, icon: 'gift' },
    { label: common.badges.easy, icon: 'clock' },
    { label: common.badges.safe, icon: 'lock' },
  ],
});

const howItWorks = ({ common }: LanguageCopy): BlockInput => ({
  id: 'how',
  type: 'text',
  ...common.steps,
});

const faq = ({ common }: LanguageCopy): BlockInput => ({ id: 'faq', type: 'faq', ...common.faq });

const footer = ({ common }: LanguageCopy): BlockInput => ({
  id: 'footer',
  type: 'footer',
  text: common.footer,
});
