/** An action between the command line and the server. */
import type { Row } from '../output/rows.js';
import type { Shown } from '../output/show.js';
import type { CommandEntry } from './manifest.js';

/** An action as it was typed. */
export interface TypedAction {
  entry: CommandEntry;
  /** References as they were typed: names, beginnings of ids, `@last`. */
  input: Row;
  /** The keys of those references. */
  references: readonly string[];
  shown: Shown;
}

/** Who calls it, for hints and for Ctrl-C. */
export const callerOf = (
  { cli, flags, effect }: CommandEntry,
  { profile }: { profile?: string },
) => ({ profile, cli, flags, isChange: effect !== 'read' });
