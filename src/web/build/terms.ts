/** The terms of buyers, as pages show them and request changes of them. */
import { z } from 'zod';
import { BUYER_LINK } from '../../account/settings/buyerLinkTerms.js';
import type { Setting } from '../../account/settings/settingsTable.js';
import { jsonSchema } from '../../lib/jsonSchema.js';
import { wireOf } from '../../lib/schema/wireOf.js';
import { ASKED_BY_NAME, SEEN } from '../../account/settings/partnerTerms.js';

export interface Term extends Pick<Setting, 'label' | 'about' | 'unit' | 'empty'> {
  name: string;
  /** How it is written; a list is one of texts. */
  kind: 'number' | 'choice' | 'list' | 'json';
  /** Of a choice. */
  options?: string[];
  /** It may be empty. */
  isOptional: boolean;
  /** A form asks for it. */
  isAsked: boolean;
}

/** Those that a buyer sees. The build writes them into the pages: what checks them stays on the server. */
export const buyerTerms = (): Term[] =>
  Object.entries<Setting>(BUYER_LINK.settings).flatMap(([name, one]) => {
    if (!SEEN.includes(name)) return [];
    const { label, about, unit, empty, schema } = one;
    const isAsked = ASKED_BY_NAME.includes(name);
    const wire = wireOf(schema);
    const isOptional = wire instanceof z.ZodNullable;
    const inner = isOptional ? (wire.unwrap() as z.ZodType) : wire;
    return { name, label, about, unit, empty, isAsked, isOptional, ...kindOf(inner) };
  });

function kindOf(schema: z.ZodType): Pick<Term, 'kind' | 'options'> {
  const { type, items, enum: options } = jsonSchema(schema, 'input');
  if (Array.isArray(options)) return { kind: 'choice', options: options.map(String) };
  if (type === 'number' || type === 'integer') return { kind: 'number' };
  const ofText = (items as { type?: unknown } | undefined)?.type === 'string';
  return { kind: type === 'array' && ofText ? 'list' : 'json' };
}
