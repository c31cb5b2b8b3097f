/** What follows from a definition, in the words of the catalog and of the documentation. */
import { needsFresh, type Exit } from '../actions/exits.js';
import type { Definition } from './definition.js';

/** Of the calls of one definition, by their input. */
export const HOW_OFTEN = ['never', 'sometimes', 'always'] as const;

export function rulesOf({
  effect,
  letsOut,
  alsoNeeds,
  bodyMax,
}: Pick<Definition, 'effect' | 'letsOut' | 'alsoNeeds' | 'bodyMax'>) {
  const guarded = letsOut.filter((exit) => needsFresh([exit]));
  const people = letsOut.filter(({ out }) => out === 'people');
  return {
    also_needs: alsoNeeds ? { permission: alsoNeeds.permission, when: alsoNeeds.when } : null,
    /** What leaves by it, and with which input; null: with every one. */
    lets_out: letsOut.map(({ out, when = null }) => ({ kind: out, when })),
    /** A person must have signed in, or confirmed it, a short time ago. */
    fresh_sign_in: howOften(guarded),
    /** Changes and reads are separate records, as in `list_audit`. */
    recorded: {
      changes: effect === 'read' ? howOften(guarded) : 'always',
      reads: howOften(people),
    },
    max_body_bytes: bodyMax ?? null,
  };
}

function howOften(exits: readonly Exit[]): (typeof HOW_OFTEN)[number] {
  if (exits.length === 0) return 'never';
  return exits.some((exit) => !exit.isFor) ? 'always' : 'sometimes';
}
