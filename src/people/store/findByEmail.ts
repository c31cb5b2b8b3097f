/** The person of an address. */
import type { Collection } from 'mongodb';
import { normalizeEmail } from '../../fields/normalize.js';
import { storedForms } from '../../fields/storedForms.js';
import { visibleText } from '../../lib/invisible.js';
import type { PersonDoc } from './personDocs.js';

/**
 * An earlier release stored the domain of an address as it was typed, and could make two accounts of one address: then
 * it is the one whose address is written like this.
 */
export async function findByEmail(
  people: Collection<PersonDoc>,
  email: string,
): Promise<PersonDoc | null> {
  const forms = formsOf(email);
  if (forms.length === 1) return people.findOne({ email: forms[0] ?? '' });
  const found = await people.find({ email: { $in: forms } }).toArray();
  const written = writtenForm(email);
  return found.find((person) => person.email === written) ?? found[0] ?? null;
}

/** Whether an address may be stored in another form than the one that unique keys compare. */
export const hasOtherForms = (email: string): boolean => formsOf(email).length > 1;

const formsOf = (email: string): string[] =>
  storedForms(normalizeEmail(email) ?? writtenForm(email));

const writtenForm = (email: string): string => visibleText(email).toLowerCase().normalize('NFC');
