/** The blocks that a funnel is made of: content that is shown, and steps that ask. One schema parses, publishes and types each. */
import { z } from 'zod';
import { flag, wholeNumber } from '../../lib/schema/settings.js';
import { blockId, icon, image, leadValue, listOf, shown, webAddress } from './parts.js';

export type { Icon } from './parts.js';

/** Blocks of one funnel. */
export const BLOCKS_MAX = 60;
/** Options of one question. */
export const OPTIONS_MAX = 60;
/** Fields of one form. */
export const FIELDS_MAX = 40;

const alt = z
  .string('must be text')
  .max(200, 'must have at most 200 characters')
  .default('')
  .describe('What the picture shows, for those who do not see it; empty: decoration');

const title = (max = 200) => shown(max).describe('The heading');

const block = <T extends string, S extends z.ZodRawShape>(type: T, about: string, shape: S) =>
  z.strictObject({ id: blockId, type: z.literal(type), ...shape }).describe(about);

const Hero = block(
  'hero',
  'The head of the page: its largest heading, with a picture if there is one',
  {
    title: title(),
    subtitle: shown(400).optional().describe('Below the heading'),
    image: image.optional(),
    image_alt: alt,
  },
);

const Cta = block('cta', 'A button that leads to the form', {
  label: shown(80).describe('The text of the button, which leads to the current step'),
  text: shown(400).optional().describe('Beside the button'),
});

const Testimonial = z.strictObject({
  quote: shown(600).describe('What the customer said'),
  name: shown(80).describe('Who said it'),
  location: shown(80).optional().describe('Where that customer lives'),
  rating: wholeNumber(1, 5).optional().describe('Stars, of 5'),
});

const Testimonials = block('testimonials', 'What customers said', {
  title: title().optional(),
  items: listOf(Testimonial, 12, { min: 1 }).describe('In the order in which they are shown'),
});

const Badge = z.strictObject({
  label: shown(60).describe('Such as Free, with no obligation'),
  icon: icon.default('check'),
});

const TrustBadges = block('trust_badges', 'Short assurances in a row', {
  items: listOf(Badge, 8, { min: 1 }).describe('In the order in which they are shown'),
});

const Text = block('text', 'Paragraphs', {
  title: title().optional(),
  text: shown(5_000).describe('An empty line begins a new paragraph'),
});

const FooterLink = z.strictObject({
  label: shown(60).describe('The text of the link'),
  url: webAddress.describe('Where it leads'),
});

const Footer = block('footer', 'The foot of the page', {
  text: shown(2_000).optional().describe('Above the links, such as who runs the page'),
  links: listOf(FooterLink, 10, { of: '{ label, url }' })
    .default([])
    .describe('Such as the privacy policy and the terms'),
});

const Video = block('video', 'A video that the visitor starts', {
  title: title(),
  url: webAddress.describe(
    'A file such as .mp4 or .webm; it is loaded from there when the visitor plays it, and not before',
  ),
  captions_url: webAddress.optional().describe('WebVTT captions of the video'),
});

const Question = z.strictObject({
  question: shown(200).describe('Always shown'),
  answer: shown(2_000).describe('Shown when the visitor opens the question'),
});

const Faq = block('faq', 'Questions and their answers, closed until the visitor opens one', {
  title: title().optional(),
  items: listOf(Question, 30, { min: 1, of: '{ question, answer }' }).describe(
    'In the order in which they are shown',
  ),
});

const CustomCode = block('custom_code', 'HTML of your own', {
  html: shown(20_000).describe(
    'HTML; scripts, styles, frames and forms are removed. Only where funnels have an origin of their own',
  ),
});

const FIELD_NAME_MAX = 64;
const fieldName = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(FIELD_NAME_MAX, `must have at most ${FIELD_NAME_MAX} characters`)
  .describe(
    "A field of the campaign's mapping, such as phone; full_name stands for first_name and last_name",
  );

const optionShape = {
  value: leadValue.describe('What the lead carries'),
  label: shown(120).describe('What the visitor sees'),
};

const QuizOption = z.strictObject({
  ...optionShape,
  emoji: shown(16).optional().describe('Shown where theme.optionIconStyle is emoji'),
  icon: icon.optional().describe('Shown where theme.optionIconStyle is icon'),
  next: blockId
    .optional()
    .describe('The step that follows this answer: a later one; default: the next in the list'),
  not_qualified: blockId
    .optional()
    .describe(
      'The page of not_qualified_pages that ends the funnel with this answer, without a lead',
    ),
});
export type QuizOption = z.output<typeof QuizOption>;

const QuizStep = block(
  'quiz_step',
  'A step with one question, answered by choosing; an answer may lead to another step',
  {
    title: shown(200).describe('The question'),
    text: shown(600).optional().describe('Below the question'),
    field: fieldName,
    required: flag().default(true).describe('false: the visitor may go on without an answer'),
    options: listOf(QuizOption, OPTIONS_MAX, { min: 2, of: '{ value, label }' }).describe(
      'The answers to choose from, each with another value',
    ),
  },
);
export type QuizStep = z.output<typeof QuizStep>;

const FormField = z.strictObject({
  name: fieldName,
  label: shown(120).describe('What the visitor sees'),
  required: flag()
    .optional()
    .describe('Default: as the campaign has it; a field that the campaign requires stays required'),
  placeholder: shown(120).optional().describe('An example, shown while the field is empty'),
  help: shown(300).optional().describe('Below the field'),
  options: listOf(z.strictObject(optionShape), OPTIONS_MAX, { min: 1, of: '{ value, label }' })
    .optional()
    .describe('Choices; default for a List of Allowed Values: these values'),
});
export type FormField = z.output<typeof FormField>;

const Form = block(
  'form',
  'A step with fields to fill in. The last step of a funnel is a form: it submits',
  {
    title: shown(200).describe('The heading of the step'),
    text: shown(600).optional().describe('Below the heading'),
    fields: listOf(FormField, FIELDS_MAX, { min: 1, of: '{ name, label }' }).describe(
      'In the order in which they are filled in',
    ),
    button: shown(80).optional().describe('Default: Continue, or Submit on the last step'),
  },
);
export type FormStep = z.output<typeof Form>;

const BLOCKS = [
  ...([Hero, Cta, Testimonials, TrustBadges, QuizStep, Form] as const),
  ...([Text, Footer, Video, Faq, CustomCode] as const),
] as const;
const TYPES = BLOCKS.map(({ shape }) => shape.type.value).join(', ');

export const Block = z
  .discriminatedUnion('type', BLOCKS, { error: `must have a type: ${TYPES}` })
  .describe('One block of the page');
export type Block = z.output<typeof Block>;
export type Step = QuizStep | FormStep;

export const isStep = (block: Block): block is Step =>
  block.type === 'quiz_step' || block.type === 'form';
