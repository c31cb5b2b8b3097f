/** The columns of the links: their labels, units and bounds are those of the tables of settings. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Formats } from '../../lib/format.js';
import { SETTINGS, type Term } from '../../lib/settings.js';
import {
  choiceCell,
  flagCell,
  listCell,
  moneyCell,
  numberCell,
  textCell,
  type CellKind,
} from '../../ui/grid/cells.js';
import type { GridColumn } from '../../ui/grid/grid.js';
import { Chip, Written } from '../../ui/index.js';
import { CapUse, usageOf, type CapUses } from './capUse.js';
import type { Side } from './draft.js';
import { readHours, writeHours } from './hours.js';
import type { CellPlace } from '../../ui/grid/edits.js';
import { rowsOf, termOf, type Campaign, type LinkRow } from './rows.js';

export type LinkColumn = GridColumn<LinkRow> & { isHiddenAtFirst?: boolean; isPinned?: boolean };

/** Terms with forms of their own, which come with the editors of set-up. */
const ELSEWHERE: ReadonlySet<string> = new Set(['zips', 'filters', 'margin', 'daily_caps']);

/** Shown to all; of the others, those that a link of the campaign has set. */
const ALWAYS: Record<Side, readonly string[]> = {
  buyer: ['status', 'price', 'priority', 'daily_cap', 'schedule'],
  supplier: ['status', 'cost_mode', 'cost_per_lead', 'daily_cap'],
};

/** In this order; other terms follow in the order of their table. */
const FIRST = [
  'status',
  'price',
  'priority',
  'weight',
  'cost_mode',
  'cost_per_lead',
  'revenue_share',
];

export const termsOf = (side: Side): Term[] => {
  const terms = side === 'buyer' ? SETTINGS.buyerLink : SETTINGS.supplierLink;
  const place = ({ name }: Term): number => {
    const at = FIRST.indexOf(name);
    return at < 0 ? FIRST.length : at;
  };
  return terms.filter(({ name }) => !ELSEWHERE.has(name)).toSorted((a, b) => place(a) - place(b));
};

interface Given {
  side: Side;
  campaign: Campaign;
  rows: readonly LinkRow[];
  uses: CapUses;
  formats: Formats;
}

export function linkColumns(given: Given): LinkColumn[] {
  const { side } = given;
  return [
    {
      id: 'name',
      header: side === 'buyer' ? 'Buyer' : 'Supplier',
      value: ({ name }) => name,
      show: (_, row) => <PartyName side={side} row={row} />,
      sortValue: ({ name }) => name.toLowerCase(),
      isPinned: true,
    },
    ...termsOf(side).map((term) => termColumn(term, given)),
  ];
}

function PartyName({ side, row }: { side: Side; row: LinkRow }): ReactNode {
  return (
    <span className="party-name">
      <Link href={`/${side}s/${row.id}`}>
        <Written>{row.name}</Written>
      </Link>
      {row.partyStatus === 'paused' && <Chip tone="warning">Paused everywhere</Chip>}
    </span>
  );
}

function termColumn(term: Term, { side, campaign, rows, uses, formats }: Given): LinkColumn {
  const { name, label, about, unit, isLimit } = term;
  const empty = name === 'schedule' ? 'always' : term.empty;
  const edit = kindOf(term);
  const isNumber = edit.kind === 'number' || edit.kind === 'money';
  const isUsed =
    ALWAYS[side].includes(name) ||
    (name === 'weight' && campaign.distribution_method === 'WEIGHTED') ||
    rows.some((row) => isSet(termOf(row, name), term));
  return {
    id: name,
    header: label,
    about,
    edit,
    isNumber,
    isHiddenAtFirst: !isUsed,
    value: (row) => termOf(row, name),
    show(value) {
      if (name === 'status') return <Status of={value} />;
      if (value === null || value === '') return <span className="muted">{empty ?? '–'}</span>;
      if (unit === 'money' && typeof value === 'number') return formats.money(value);
      if (typeof value === 'number')
        return `${formats.number(value)}${unit === 'percent' ? ' %' : ''}`;
      const text = edit.write(value);
      return text === '' ? <span className="muted">{empty ?? '–'}</span> : <bdi>{text}</bdi>;
    },
    beside: isLimit ? (row) => <CapUse usage={usageOf(uses, row.id, name)} /> : undefined,
    sortValue: (row) => sortable(termOf(row, name)),
  };
}

const isSet = (value: unknown, term: Term): boolean =>
  JSON.stringify(value ?? null) !== JSON.stringify(term.default ?? null);

/** What is not set comes last. */
const sortable = (value: unknown): string | number => {
  if (typeof value === 'number') return value;
  if (value === null) return Infinity;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const Status = ({ of }: { of: unknown }): ReactNode =>
  of === 'paused' ? <Chip>Paused</Chip> : <Chip tone="good">Active</Chip>;

const HOURS = textCell({ write: writeHours, read: readHours });

function kindOf({
  name,
  kind,
  unit,
  options = [],
  min,
  max,
  isWhole,
  isOptional,
  maxLength,
}: Term): CellKind {
  if (name === 'schedule') return HOURS;
  const bounds = { min, max, isWhole, isOptional };
  switch (kind) {
    case 'number':
      return unit === 'money' ? moneyCell(bounds) : numberCell(bounds);
    case 'choice':
      return choiceCell(options.map((value) => ({ value, label: inWords(value) })));
    case 'flag':
      return flagCell;
    case 'list':
      return listCell(maxLength);
    case 'text':
    case 'parts':
    case 'json':
      return textCell({
        write: (value) => (typeof value === 'string' ? value : ''),
        read: (text) => ({ value: text }),
      });
  }
}

/** `REVENUE_SHARE` as `Revenue share`. */
export const inWords = (value: string): string => {
  const words = value.replaceAll('_', ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** Such as "Acme, Daily cap". */
export function cellName(
  campaign: Campaign,
  { side, row, column }: CellPlace & { side: Side },
): string {
  const name = rowsOf(campaign, side).find(({ id }) => id === row)?.name ?? 'A removed link';
  const label = termsOf(side).find((term) => term.name === column)?.label ?? column;
  return `${name}, ${label}`;
}
