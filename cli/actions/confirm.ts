/** Asks for confirmation before an action that cannot be undone. */
import { canceled, UsageError } from '../terminal/errors.js';
import type { Client } from '../client/client.js';
import { isRow } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { flagName, type CommandEntry } from './manifest.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface Consent {
  yes?: true;
  /** `--confirm`: the name of the record to be destroyed. */
  confirm?: string;
}

type Input = Readonly<Record<string, unknown>>;

interface Severe {
  /** The key of the input that holds the id. */
  key: string;
  /** The action that returns the name. */
  look: string;
  applies: (input: Input) => boolean;
  what: string;
}

/** Actions that destroy much at once: the name must be typed, to rule out the wrong record. */
const SEVERE: Readonly<Record<string, Severe>> = {
  delete_supplier: {
    key: 'supplier_id',
    look: 'get_supplier',
    applies: () => true,
    what: 'the supplier, its key and its terms',
  },
  drop_deliveries: {
    key: 'buyer_id',
    look: 'get_buyer',
    applies: (input) => input.lead_id === undefined,
    what: 'all deliveries that wait for the buyer',
  },
};

const severityOf = ({ name }: CommandEntry, input: Input): Severe | undefined => {
  const severe = getOwn(SEVERE, name);
  return severe?.applies(input) && typeof getOwn(input, severe.key) === 'string'
    ? severe
    : undefined;
};

/** Whether a command has `--confirm`. */
export const mayBeSevere = ({ name }: Pick<CommandEntry, 'name'>): boolean =>
  Object.hasOwn(SEVERE, name);

/** What is to be done. */
interface Deed {
  entry: CommandEntry;
  input: Input;
  client: Client;
}

/**
 * @throws {CommandFailed} with the exit code 2 where the person declines
 * @throws {UsageError} where no person can be asked, naming the flag that confirms
 */
export async function confirm(terminal: Terminal, deed: Deed, consent: Consent): Promise<void> {
  const { entry, input } = deed;
  if (entry.effect !== 'destroy' || input.dry_run === true) return;
  const severe = severityOf(entry, input);
  if (severe) return confirmByName(terminal, severe, deed, consent);
  if (consent.yes) return;
  if (!terminal.keyboard.isTerminal)
    throw new UsageError(
      `This cannot be undone, and there is no terminal to ask for confirmation: add --yes. (${entry.summary})`,
    );
  const about = subjectOf(input);
  const question = `${entry.summary}${about}? This cannot be undone. [y/N] `;
  const answer = await terminal.keyboard.ask(question);
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw canceled();
}

async function confirmByName(
  terminal: Terminal,
  { key, look, what }: Severe,
  { input, client }: Deed,
  consent: Consent,
): Promise<void> {
  const id = String(getOwn(input, key));
  const name = await nameOf(client, look, key, id);
  const isIt = (text: string | null | undefined) => text === name || text === id;
  if (consent.confirm !== undefined) {
    if (isIt(consent.confirm)) return;
    throw new UsageError(
      `--confirm "${consent.confirm}" is not the name of ${flagName(key)} ${id}, which is "${name}". Nothing was done.`,
    );
  }
  if (!terminal.keyboard.isTerminal)
    throw new UsageError(
      `This removes ${what}, and cannot be undone. There is no terminal to ask for confirmation: add --confirm with ` +
        `its name, "${name}".`,
    );
  terminal.say(`This removes ${what}, ${name} (${id}). This cannot be undone.`);
  const typed = await terminal.keyboard.ask(`Type the name to confirm: `);
  if (!isIt(typed?.trim())) throw canceled();
}

/** The id, where the key may not read the name or there is no such record: the server then reports that. */
async function nameOf(client: Client, look: string, key: string, id: string): Promise<string> {
  const found = await client.run(look, { [key]: id }).then(
    ({ data }) => data,
    () => null,
  );
  return isRow(found) && typeof found.name === 'string' ? found.name : id;
}

function subjectOf(input: Input): string {
  const ids = Object.entries(input).filter(([key]) => key.endsWith('_id'));
  return ids.length === 0 ? '' : ` (${ids.map(([key, id]) => `${key} ${String(id)}`).join(', ')})`;
}
