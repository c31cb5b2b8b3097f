/** The templates that a funnel starts from. */

export const TEMPLATE_NAMES = ['lead_form', 'quiz', 'appointment', 'vsl'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];
