/** People whose leads are posted: no number occurs in two runs, and each value may be spelled in several ways. */
import { createRandom, type Random } from '../../prng.js';

/** A person's contact data, in the form that the record keeps. */
export interface Contact {
  /** E.164. */
  phone: string;
  /** Lower case. */
  email: string;
}

export interface People {
  /** A phone number that no other person has. */
  phone(): string;
  email(): string;
}

const FIRST_PHONE = 2_010_000_000;
const PHONES = 7_000_000_000;

export function createPeople(seed: string): People {
  const start = Math.floor(createRandom(seed, 'people').next() * PHONES);
  let phones = 0;
  let emails = 0;
  return {
    phone: () => `+1${FIRST_PHONE + ((start + phones++) % PHONES)}`,
    email: () => `person.${start.toString(36)}.${++emails}@example.com`,
  };
}

/** As suppliers spell it; the service reads all spellings as the same. */
export function spellPhone(phone: string, random: Random): string {
  const [, area = '', exchange = '', line = ''] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  return random.pick([
    phone,
    `${area}${exchange}${line}`,
    `(${area}) ${exchange}-${line}`,
    `1-${area}-${exchange}-${line}`,
  ]);
}

export function spellEmail(email: string, random: Random): string {
  return random.pick([email, email, email.toUpperCase(), ` ${email}`]);
}
