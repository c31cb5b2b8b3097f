/** The definition of a new funnel: complete, and valid for its campaign. */
import type { FieldRule } from '../../../fields/fieldRule.js';
import { FunnelDefinition, type FunnelDefinitionInput } from '../definition.js';
import { ENGLISH, type LanguageCopy } from './english.js';
import { TEMPLATE_NAMES, type TemplateLanguage, type TemplateName } from './names.js';
import { entryOf, formsOf, isAsked, isTime, needsOf, questionOf, type Needs } from './questions.js';
import { SPANISH } from './spanish.js';

type BlockInput = FunnelDefinitionInput['blocks'][number];

const TEMPLATE_COPY: Record<TemplateLanguage, LanguageCopy> = { en: ENGLISH, es: SPANISH };

/** Maximum questions of a quiz in addition to those that the campaign needs. */
const EXTRA_QUESTIONS_MAX = 3;
/** Questions with a separate step; further ones are asked in forms. */
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
  { name, fields }: TemplateSource,
): FunnelDefinition {
  const copy = TEMPLATE_COPY[language];
  const needs = needsOf(fields, copy.common);
  const { common, templates } = copy;
  const own = templates[template];
  const steps = STEPS[template]({ template, needs, fields, copy });
  const parts = partsOf(template, copy);
  return FunnelDefinition.parse({
    language,
    title: own.title,
    description: own.description,
    theme: THEMES[template],
    progress: steps.length > 1,
    blocks: PARTS[template].flatMap((part) => (part === 'steps' ? steps : parts[part])),
    consent: {
      text: common.consent,
      purpose: `${common.purpose} (${name})`.slice(0, 400),
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

/** What the steps of a template are made of. */
interface Making extends Pick<TemplateSource, 'fields'> {
  template: TemplateName;
  needs: Needs;
  copy: LanguageCopy;
}

const STEPS: Record<TemplateName, (making: Making) => BlockInput[]> = {
  lead_form: shortSteps,
  quiz: quizSteps,
  appointment: appointmentSteps,
  vsl: shortSteps,
};

function quizSteps(making: Making): BlockInput[] {
  const { needs, copy } = making;
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
    ...placeSteps(making, questions.length > 0, details),
    ...detailSteps(details, copy),
    contactStep(making),
  ];
}

function appointmentSteps(making: Making): BlockInput[] {
  const { needs, copy } = making;
  const times = needs.times.map((rule) => ({ ...entryOf(rule, copy.common), required: true }));
  const details = [...neededOf(needs).map(({ rule }) => rule), ...needs.details];
  return [
    ...formsOf('time', copy.common.time, times),
    ...placeSteps(making, times.length > 0, details),
    ...detailSteps(details, copy),
    contactStep(making),
  ];
}

const neededOf = (needs: Needs): Needs['choices'] =>
  needs.choices.filter(({ isNeeded }) => isNeeded);

const neededTimes = ({ times }: Needs): FieldRule[] => times.filter(isAsked);

/** Asks few fields in addition to the contact data: one step, one click. */
function shortSteps(making: Making): BlockInput[] {
  const { template, needs, copy } = making;
  const details = [
    ...neededOf(needs).map(({ rule }) => rule),
    ...neededTimes(needs),
    ...needs.details,
  ];
  const contact = contactStep(making);
  if (details.length > 3 || contact.type !== 'form')
    return [...detailSteps(details, copy), contact];
  if (details.length === 0) return [contact];
  const entries = details.map((rule) => entryOf(rule, copy.common));
  const heading = template === 'lead_form' ? copy.common.request : {};
  return [{ ...contact, ...heading, fields: [...entries, ...contact.fields] }];
}

/** Where the visitor is, as an easy first question; not where other questions come first. */
function placeSteps(
  { fields, copy: { common } }: Making,
  hasOthers: boolean,
  details: readonly FieldRule[],
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

const contactStep = ({ template, needs, copy }: Making): BlockInput => ({
  id: 'contact',
  type: 'form',
  ...copy.templates[template].contact,
  fields: needs.contact,
});

type Part = 'hero' | 'video' | 'cta' | 'badges' | 'how' | 'faq' | 'footer';

/** The page from its head to its foot: arguments stand before and after the steps. */
const PARTS: Record<TemplateName, readonly (Part | 'steps')[]> = {
  lead_form: ['hero', 'steps', 'badges', 'how', 'faq', 'cta', 'footer'],
  quiz: ['hero', 'steps', 'badges', 'faq', 'cta', 'footer'],
  appointment: ['hero', 'badges', 'steps', 'how', 'faq', 'cta', 'footer'],
  vsl: ['hero', 'video', 'cta', 'steps', 'badges', 'faq', 'footer'],
};

/** Stands in for the designer's own video; a warning remains until it is replaced. */
const VIDEO = 'https://www.example.com/video.mp4';

const partsOf = (
  template: TemplateName,
  { common, templates }: LanguageCopy,
): Record<Part, BlockInput> => ({
  hero: { id: 'hero', type: 'hero', ...templates[template].hero },
  video: { id: 'video', type: 'video', title: common.video, url: VIDEO },
  cta: { id: 'cta', type: 'cta', ...templates[template].cta },
  badges: {
    id: 'assurances',
    type: 'trust_badges',
    items: [
      { label: common.badges.free, icon: 'gift' },
      { label: common.badges.easy, icon: 'clock' },
      { label: common.badges.safe, icon: 'lock' },
    ],
  },
  how: { id: 'how', type: 'text', ...common.steps },
  faq: { id: 'faq', type: 'faq', ...common.faq },
  footer: { id: 'footer', type: 'footer', text: common.footer },
});
