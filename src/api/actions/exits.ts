/**
 * What a call lets out: people's data, leads, or the way to them. Every action and every call of a portal declares it,
 * and `runCall` asks for a fresh sign-in and makes the record accordingly.
 */
import { getOwn } from '../../lib/getOwn.js';

/**
 * people: the answer shows data of people. It is recorded before it is sent.
 * leads: it sends leads, or events of them, to where the account says already. It is recorded as a change.
 * address: it sets where leads, events or bids go, or which of their data go there. A person confirms the sign-in
 * first, and it is recorded as a change, refused or not.
 * access: it gives or shows a credential of something that exists, or sets who may see what. As address.
 */
export const EXIT_KINDS = ['people', 'leads', 'address', 'access'] as const;
export type ExitKind = (typeof EXIT_KINDS)[number];

export interface Exit<I = unknown> {
  out: ExitKind;
  /** Only inputs for which this returns true use it; absent: every input does. */
  isFor?(input: I): boolean;
  /** Which inputs those are; follows "where". */
  when?: string;
  /**
   * For people: only these keys of each row hold their data; callers who see no people get null there. `sales.note` is
   * the key of each row of a list within it.
   */
  parts?: readonly string[];
}

interface Declared {
  letsOut: readonly Exit[];
}

/** The exits that a call with this input uses. */
export const usedExits = ({ letsOut }: Declared, input: unknown): Exit[] =>
  letsOut.filter((exit) => exit.isFor?.(input) ?? true);

/** A person must have signed in, or confirmed it, a short time ago; a key has no sign-in. */
export const needsFresh = (exits: readonly Exit[]): boolean =>
  exits.some(({ out }) => out === 'address' || out === 'access');

/** Whether the answer shows data of people, to this caller. */
export const showsPeople = (exits: readonly Exit[], seesNoPeople: boolean): boolean =>
  exits.some(({ out, parts }) => out === 'people' && !(seesNoPeople && parts));

/** The whole answer is about people: there is nothing in it for callers who see none. */
export const isAboutPeople = ({ letsOut }: Declared): boolean =>
  letsOut.some((exit) => exit.out === 'people' && !exit.parts && !exit.isFor);

/** The same of the calls with this input alone: by a phone, for example, it says whether that person is known. */
export const asksForPeople = (exits: readonly Exit[]): boolean =>
  exits.some(({ out, parts }) => out === 'people' && !parts);

/** An answer without its parts that are data of people. */
export const withoutPeople = (data: unknown, exits: readonly Exit[]): unknown =>
  withNull(
    data,
    exits.flatMap((exit) => exit.parts ?? []),
  );

/** An answer with null for these parts: one row, or a list of them. */
export const withNull = (data: unknown, parts: readonly string[]): unknown =>
  parts.reduce((shown, part) => hidden(shown, part.split('.')), data);

function hidden(data: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(data)) return data.map((row) => hidden(row, [key, ...rest]));
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, key)) return data;
  const value = getOwn(data as Record<string, unknown>, key);
  return { ...data, [key]: rest.length === 0 ? null : hidden(value, rest) };
}

export const PEOPLE: Exit = { out: 'people' };
export const LEADS: Exit = { out: 'leads' };
export const ADDRESS: Exit = { out: 'address' };
export const ACCESS: Exit = { out: 'access' };

const IF_REVEALED = {
  when: 'reveal_key is true',
  isFor: ({ reveal_key }: { reveal_key: boolean }) => reveal_key,
};

/** The key of a supplier, where the input requests it. */
export const REVEALED_KEY: Exit<{ reveal_key: boolean }> = { ...ACCESS, ...IF_REVEALED };
export const TO_REVEAL_A_KEY = {
  permission: 'suppliers:write',
  subject: 'reveal_key',
  ...IF_REVEALED,
} as const;
