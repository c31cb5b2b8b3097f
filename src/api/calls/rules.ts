/** What follows from a definition, in the words of the catalog and of the documentation. */
import type { Permission } from '../../account/store/keyDocs.js';
import { needsFresh, type Exit, type ExitKind } from '../actions/exits.js';
import type { Definition } from './definition.js';

/** Of the calls of one definition, by their input. */
export const HOW_OFTEN = ['never', 'sometimes', 'always'] as const;
export type HowOften = (typeof HOW_OFTEN)[number];

export interface CallRules {
  also_needs: { permission: Permission; when: string } | null;
  /** What leaves by it, and with which input; null: with every one. */
  lets_out: { kind: ExitKind; when: string | null }[];
  /** A person must have signed in, or confirmed it, a short time ago. */
  fresh_sign_in: HowOften;
  /** Changes and reads are separate records, as in `list_audit`. */
  recorded: { changes: HowOften; reads: HowOften };
  max_body_bytes: number | null;
}

type Ruled = Pick<Definition, 'effect' | 'letsOut' | 'alsoNeeds' | 'bodyMax'>;

export function rulesOf({ effect, letsOut, alsoNeeds, bodyMax }: Ruled): CallRules {
  const guarded = letsOut.filter((exit) => needsFresh([exit]));
  const people = letsOut.filter(({ out }) => out === 'people');
  return {
    also_needs: alsoNeeds ? { permission: alsoNeeds.permission, when: alsoNeeds.when } : null,
    lets_out: letsOut.map(({ out, when = null }) => ({ kind: out, when })),
    fresh_sign_in: howOften(guarded),
    recorded: {
      changes: effect === 'read' ? howOften(guarded) : 'always',
      reads: howOften(people),
    },
    max_body_bytes: bodyMax ?? null,
  };
}

function howOften(exits: readonly Exit[]): HowOften {
  if (exits.length === 0) return 'never';
  return exits.some((exit) => !exit.isFor) ? 'always' : 'sometimes';
}
