/** What people see of a record beyond the answer of its action: more answers, which programs ask for themselves. */
import { Refused, type Client } from '../client/client.js';
import { isRow, pageOf, type Row } from '../output/rows.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { readManifest, type CommandEntry } from './manifest.js';

interface Extra {
  /** Where the record has it. */
  key: string;
  action: string;
  input: (record: Row) => Row;
}

/** By the action of the record. */
const EXTRAS: Readonly<Record<string, Extra>> = {
  get_campaign: {
    key: 'cap_usage',
    action: 'get_cap_usage',
    input: ({ id }) => ({ campaign_id: id, limit: 500 }),
  },
};

/** The record with them; as it is where the key may not see them, or an older server does not know them. */
export async function withExtras(
  client: Client,
  { name }: Pick<CommandEntry, 'name'>,
  data: unknown,
): Promise<unknown> {
  const extra = getOwn(EXTRAS, name);
  const entry = readManifest().find((one) => one.name === extra?.action);
  if (!extra || !entry || !isRow(data)) return data;
  const rows = await client.run(extra.action, extra.input(data)).then(
    (answer) => pageOf(entry, answer).rows,
    (error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    },
  );
  return { ...data, [extra.key]: rows };
}
