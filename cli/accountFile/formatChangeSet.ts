/** A plan as people read it, and as JSON. */
import { formatTable } from '../output/table.js';
import { visible } from '../output/cells.js';
import type { Paint } from '../output/paint.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Difference, Kind, LeftOut, ChangeSet } from './difference.js';
import type { Secret } from './runSteps.js';

const KINDS: Record<Kind, string> = {
  buyer: 'buyer',
  supplier: 'supplier',
  campaign: 'campaign',
  campaign_buyer: 'buyer',
  campaign_supplier: 'supplier',
  funnel: 'funnel',
  automation: 'automation',
};

/** Lines: `+` for a created record, `~` for a changed one, each setting with its old and new value. */
export function formatChangeSet({ differences, leftOut }: ChangeSet, paint: Paint): string {
  const lines = differences.flatMap((one) => [headOf(one, paint), ...changeLines(one)]);
  const rest = leftOut.map((one) => paint.dim(`- ${labelOf(one)}  not in the file; unchanged`));
  const [created, changed] = countsOf({ differences, leftOut });
  const sum =
    differences.length === 0
      ? 'Nothing to change: the account matches the file.'
      : `${created} to create, ${changed} to change.`;
  return [...lines, ...rest, sum].join('\n');
}

const countsOf = ({ differences }: ChangeSet): [number, number] => {
  const created = differences.filter(({ isNew }) => isNew).length;
  return [created, differences.length - created];
};

function labelOf({ kind, name, campaign }: LeftOut): string {
  const record = `${KINDS[kind]} ${JSON.stringify(visible(name))}`;
  return campaign === undefined
    ? record
    : `campaign ${JSON.stringify(visible(campaign))}: ${record}`;
}

function headOf(one: Difference, paint: Paint): string {
  const label = labelOf(one);
  return one.isNew ? paint.green(`+ create ${label}`) : paint.yellow(`~ change ${label}`);
}

/** For a new record its settings; empty ones are left out, as they equal the defaults. */
function changeLines({ isNew, changes }: Difference): string[] {
  const shown = isNew ? changes.filter(({ to }) => !isEmpty(to)) : changes;
  return shown.map(({ path, from, to }) =>
    isNew
      ? `    ${visible(path)}: ${text(to)}`
      : `    ${visible(path)}: ${text(from)} → ${text(to)}`,
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const text = (value: unknown): string => (value === null ? 'none' : visible(JSON.stringify(value)));

/** The same for programs. */
export const changeSetJson = ({ differences, leftOut }: ChangeSet) => ({
  equal: differences.length === 0,
  changes: differences.map(({ kind, name, campaign, isNew, changes }) => ({
    change: isNew ? 'create' : 'update',
    kind,
    name,
    ...(campaign === undefined ? {} : { campaign }),
    settings: changes,
  })),
  not_in_file: leftOut,
});

/** A table in a terminal; elsewhere one secret per line, values separated by tabs. */
export function formatSecrets(
  secrets: readonly Secret[],
  { screen, paint }: Pick<Terminal, 'screen' | 'paint'>,
): string {
  const rows = secrets.map(({ kind, name, secret, value }) => [kind, visible(name), secret, value]);
  if (screen === null) return rows.map((row) => row.join('\t')).join('\n');
  const titles = ['KIND', 'NAME', 'SECRET', 'VALUE'].map((title) => ({ title }));
  return formatTable(titles, rows, paint);
}
