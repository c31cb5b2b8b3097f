/** Answers as people of an account read them. */
import { plainView } from '../output/show.js';
import type { TableView } from '../output/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Client } from './client.js';
import { readLook, readNamesFor } from './names.js';

/** The names, the zone and the currency that this answer needs on this terminal. */
export async function viewFor(
  terminal: Pick<Terminal, 'screen' | 'paint'>,
  client: Client,
  answer: unknown,
): Promise<TableView> {
  const [look, names] = await Promise.all([readLook(client), readNamesFor(client, answer)]);
  return { ...plainView(terminal), look, names };
}
