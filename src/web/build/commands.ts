/** The commands of the actions, as the pages write them: of the list that the command line is made from. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const MANIFEST = join(import.meta.dirname, '../../../cli/manifest.json');

const Entry = z.object({
  name: z.string(),
  cli: z.tuple([z.string(), z.string()]),
  flags: z.array(
    z.object({
      key: z.string(),
      kind: z.string(),
      required: z.boolean(),
      secret: z.literal(true).optional(),
    }),
  ),
});

/** How an action is typed. The flags of its other inputs are their names, with hyphens, and take the value as a text. */
export interface Command {
  cli: readonly [noun: string, verb: string];
  /** The input that is given without its flag. */
  positional?: string;
  /** Inputs that are two flags without a value. */
  booleans?: readonly string[];
  /** Inputs that are lists of texts. */
  lists?: readonly string[];
  /** Inputs that are read from a file. */
  secrets?: readonly string[];
}

/** By the names of the actions. Empty lists are left out: the table is a part of the pages. */
export async function readCommands(path = MANIFEST): Promise<Record<string, Command>> {
  const entries = z.array(Entry).parse(JSON.parse(await readFile(path, 'utf8')));
  return Object.fromEntries(entries.map((entry) => [entry.name, commandOf(entry)]));
}

function commandOf({ cli, flags }: z.infer<typeof Entry>): Command {
  const ids = flags.filter(({ key, required }) => required && /_id$|^query$/.test(key));
  const keysOf = (isOf: (flag: (typeof flags)[number]) => boolean): string[] | undefined => {
    const keys = flags.filter(isOf).map(({ key }) => key);
    return keys.length === 0 ? undefined : keys;
  };
  return {
    cli,
    positional: ids.length === 1 ? ids[0]?.key : undefined,
    booleans: keysOf(({ kind }) => kind === 'boolean'),
    lists: keysOf(({ kind }) => kind === 'texts'),
    secrets: keysOf(({ secret }) => secret === true),
  };
}
