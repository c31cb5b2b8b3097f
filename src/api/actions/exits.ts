/**
 * What an action lets out: people's data, leads, or the way to them. Every action and every call of a portal declares it,
 * and the one place that runs it asks for a fresh sign-in and makes the record accordingly.
 */
import type { Permission } from '../../account/store/keyDocs.js';

/**
 * people: the answer shows data of people. It is recorded before it is sent.
 * leads: it sends leads, or events of them, to where the account says already. It is recorded as a change.
 * address: it sets where leads, events or bids go, or which of their data go there. A person confirms the sign-in
 * first, and it is recorded as a change, refused or not.
 * access: it gives or shows a credential of something that exists, or sets who may see what. As address.
 */
export type ExitKind = 'people' | 'leads' | 'address' | 'access';

export interface Exit<I = unknown> {
  out: ExitKind;
  /** Only inputs for which this returns true use it; absent: every input does. */
  isUsed?(input: I): boolean;
  /** What such an input needs in addition to the permission of the action. */
  needs?: {
    permission: Permission;
    /** What needs it, at the beginning of a sentence. */
    subject: string;
  };
  /** For people: only these keys of each row hold their data; callers who see no people get null there. */
  parts?: readonly string[];
}

interface Declared {
  letsOut: readonly Exit[];
}

/** The exits that a call with this input uses. */
export const usedExits = ({ letsOut }: Declared, input: unknown): Exit[] =>
  letsOut.filter((exit) => exit.isUsed?.(input) ?? true);

/** A person must have signed in, or confirmed it, a short time ago; a key has no sign-in. */
export const needsFresh = (exits: readonly Exit[]): boolean =>
  exits.some(({ out }) => out === 'address' || out === 'access');

/** Whether the answer shows data of people, to this caller. */
export const showsPeople = (exits: readonly Exit[], seesNoPeople: boolean): boolean =>
  exits.some(({ out, parts }) => out === 'people' && !(seesNoPeople && parts));

/** The whole answer is about people: there is nothing in it for callers who see none. */
export const isAboutPeople = ({ letsOut }: Declared): boolean =>
  letsOut.some(({ out, parts }) => out === 'people' && !parts);

/** An answer without its parts that are data of people: one row, or a list of them. */
export function withoutPeople(data: unknown, exits: readonly Exit[]): unknown {
  const parts = exits.flatMap((exit) => exit.parts ?? []);
  if (parts.length === 0) return data;
  const hide = (row: unknown): unknown =>
    typeof row === 'object' && row !== null
      ? { ...row, ...Object.fromEntries(parts.filter((part) => part in row).map(asNull)) }
      : row;
  return Array.isArray(data) ? data.map(hide) : hide(data);
}

const asNull = (part: string): [string, null] => [part, null];

export const PEOPLE: Exit = { out: 'people' };
export const LEADS: Exit = { out: 'leads' };
export const ADDRESS: Exit = { out: 'address' };
export const ACCESS: Exit = { out: 'access' };

/** The key of a supplier, where it is asked for. */
export const REVEALED_KEY: Exit<{ reveal_key: boolean }> = {
  out: 'access',
  isUsed: ({ reveal_key }) => reveal_key,
  needs: { permission: 'suppliers:write', subject: 'reveal_key' },
};
