/** The templates that a funnel starts from, and their languages. */

export const TEMPLATE_NAMES = ['lead_form', 'quiz', 'appointment', 'vsl'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export const TEMPLATE_LANGUAGES = ['en', 'es'] as const;
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];
