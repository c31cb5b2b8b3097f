/** The texts of templates, in each of their languages. */
import type { TemplateName } from './names.js';

export const TEMPLATE_LANGUAGES = ['en', 'es'] as const;
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];

/** The texts of one template. */
export interface TemplateCopy {
  /** For the person who chooses one. */
  name: string;
  about: string;
  title: string;
  description: string;
  hero: { title: string; subtitle: string };
  contact: { title: string; text: string; button: string };
  cta: { label: string; text: string };
}

/** The texts that all templates share. */
export interface CommonCopy {
  /** Labels of the system's fields; others have those of the mapping. */
  labels: Readonly<Record<string, string>>;
  details: { title: string; text: string };
  /** Of a step that asks both about the request and about the person. */
  request: { title: string; text: string };
  place: { title: string; text: string };
  time: { title: string; text: string };
  video: string;
  badges: { easy: string; free: string; safe: string };
  steps: { title: string; text: string };
  faq: { title: string; items: { question: string; answer: string }[] };
  footer: string;
  consent: string;
  purpose: string;
  thanks: { title: string; text: string };
  noBuyer: { title: string; text: string };
  notQualified: { title: string; text: string };
  yes: string;
  no: string;
}

export interface LanguageCopy {
  common: CommonCopy;
  templates: Record<TemplateName, TemplateCopy>;
}
