/**
 * Commands whose verbs are other than those of their actions, so that the command line has one set of verbs: what an input
 * decides is a verb of its own there. The command of the action itself stays as an old spelling, which no help shows.
 */
import { getOwn } from '../../src/lib/getOwn.js';
import type { CommandEntry } from './manifest.js';

interface Verb {
  verb: string;
  summary: string;
  description: string;
  /** The part of the input that the verb stands for. */
  fixed: Readonly<Record<string, unknown>>;
}

/** By the names of actions. An empty list: a command of this program shows the same. */
const VERBS: Readonly<Record<string, readonly Verb[]>> = {
  resolve_return: [
    {
      verb: 'accept',
      summary: 'Accept a return',
      description:
        "The sale brings no revenue; depending on the buyer's settings, the supplier is not paid and the lead is sold " +
        'again. This cannot be undone.',
      fixed: { result: 'accept' },
    },
    {
      verb: 'reject',
      summary: 'Reject a return',
      description:
        'The sale stands, and the return no longer counts in its month. This cannot be undone.',
      fixed: { result: 'reject' },
    },
  ],
  resolve_change_request: [
    {
      verb: 'accept-change',
      summary: 'Accept what a partner asks for',
      description:
        'The terms are changed at once, as a new version of the campaign. If one of them has been changed since the ' +
        'request, the call is refused and the request is stale. A decision is final. Also needs campaigns:write.',
      fixed: { result: 'approve' },
    },
    {
      verb: 'reject-change',
      summary: 'Reject what a partner asks for',
      description: 'The terms stay as they are. A decision is final.',
      fixed: { result: 'refuse' },
    },
  ],
  // `leads trail` shows it as a tree, and with --json as it is.
  get_lead_distribution_trail: [],
};

/** A command: an action, or a part of one. */
export interface VerbEntry extends CommandEntry {
  /** What its verb decides; it has no flag. */
  fixed?: Verb['fixed'];
}

/** Whether the command of the action itself is an old spelling. */
export const isOldSpelling = ({ name }: Pick<CommandEntry, 'name'>): boolean =>
  Object.hasOwn(VERBS, name);

/** The commands that stand for an action in its place; none for most. */
export const verbsOf = (entry: CommandEntry): VerbEntry[] =>
  (getOwn(VERBS, entry.name) ?? []).map(({ verb, summary, description, fixed }) => ({
    ...entry,
    cli: [entry.cli[0], verb],
    summary,
    description,
    fixed,
    flags: entry.flags.filter(({ key }) => !Object.hasOwn(fixed, key)),
    example: Object.fromEntries(
      Object.entries(entry.example).filter(([key]) => !Object.hasOwn(fixed, key)),
    ),
  }));
