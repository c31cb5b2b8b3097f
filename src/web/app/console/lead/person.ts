/** The person of a lead as texts. Callers who see no people get null in the place of every field. */
import type { Lead } from './words.js';

/** What the service may have masked for this role, which the types do not show. */
export const shown = <T>(value: T): T | null => value;

/** The fields of the lead; empty where this role does not see them. */
export const fieldsOf = (lead: Pick<Lead, 'fields'>): Lead['fields'] => shown(lead.fields) ?? {};

/** The role does not see who it is. */
export const isMasked = (lead: Pick<Lead, 'fields'>): boolean => shown(lead.fields) === null;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** `+14155550100` as `(415) 555-0100`; a number of another country as it is. */
export function phoneText(phone: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  return area && exchange && line ? `(${area}) ${exchange}-${line}` : phone;
}

export const phoneOf = (lead: Pick<Lead, 'fields'>): string => textOf(fieldsOf(lead).phone);
export const emailOf = (lead: Pick<Lead, 'fields'>): string => textOf(fieldsOf(lead).email);

export const shortId = (id: string): string => id.slice(0, 8);

/** The name of the person, else its phone or email, else the id. */
export const titleOf = (lead: Pick<Lead, 'fields' | 'name' | 'id'>): string =>
  shown(lead.name) ??
  ([phoneText(phoneOf(lead)), emailOf(lead)].find((text) => text !== '') ||
    `Lead ${shortId(lead.id)}`);

/** `zip_code` as `Zip code`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
