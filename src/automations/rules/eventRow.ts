/** The row that reports an event in a sheet. */
import type {
  AcceptanceAlert,
  CapAlert,
  QueueAlert,
  SupplierAlert,
} from '../../events/rules/alertData.js';
import type { LeadEventType } from '../../events/rules/events.js';
import { isLeadEvent, type Envelope, type EventType } from '../../events/rules/events.js';
import { fieldOf } from '../../fields/fields.js';
import type { Fields, Scalar } from '../../fields/values.js';
import { getOwn } from '../../lib/getOwn.js';
import { CELL_MAX } from '../../deliveries/rules/sheetRow.js';

/** The first column of every row, by which rows are found. */
const EVENT_ID = 'event_id';
const EXTRA = 'extra.';
/** Before a mapped field with the name of a value of the event, such as `status`. */
const FIELDS = 'fields.';

const OF_EVENT = [EVENT_ID, 'event_type', 'event_at'] as const;

const OF_LEAD = [
  'lead_id',
  'campaign_id',
  'supplier_id',
  'is_test',
  'status',
  'outcome',
  'buyer_id',
  'price',
  'revenue',
  'cost',
  'profit',
  'duplicate_of',
  'created_at',
] as const;

const OF_BUYER = ['buyer_id', 'until', 'failures', 'reason'] as const;

const OF_SUPPLIER_ALERT = [
  'campaign_id',
  'campaign_name',
  'supplier_id',
  'supplier_name',
  'last_lead_at',
  'hours',
] as const satisfies readonly (keyof SupplierAlert)[];
const OF_QUEUE_ALERT = [
  'buyer_id',
  'buyer_name',
  'reason',
  'since',
] as const satisfies readonly (keyof QueueAlert)[];
const OF_ACCEPTANCE_ALERT = [
  'campaign_id',
  'campaign_name',
  'day',
  'decided',
  'sold',
  'rate',
  'usual_rate',
] as const satisfies readonly (keyof AcceptanceAlert)[];
const OF_CAP_ALERT = [
  'campaign_id',
  'campaign_name',
  'buyer_id',
  'buyer_name',
  'supplier_id',
  'supplier_name',
  'window',
  'of',
  'limit',
  'used',
  'resets_at',
] as const satisfies readonly (keyof CapAlert)[];

const OF_OTHERS: Record<Exclude<EventType, LeadEventType>, readonly string[]> = {
  'ping.expired': ['campaign_id', 'supplier_id', 'count', 'ping_ids'],
  'buyer.paused': OF_BUYER,
  'buyer.resumed': OF_BUYER,
  'automation.disabled': ['automation_id', 'name', 'reason'],
  'cap.nearly_full': OF_CAP_ALERT,
  'supplier.silent': OF_SUPPLIER_ALERT,
  'supplier.resumed': OF_SUPPLIER_ALERT,
  'queue.stuck': OF_QUEUE_ALERT,
  'queue.cleared': OF_QUEUE_ALERT,
  'acceptance.dropped': OF_ACCEPTANCE_ALERT,
  'acceptance.recovered': OF_ACCEPTANCE_ALERT,
};

const namesOf = (type: EventType): readonly string[] =>
  isLeadEvent(type) ? OF_LEAD : OF_OTHERS[type];

/**
 * The columns of a row where none were chosen: all values of such an event, and the fields of the mapping. Its
 * `event_id` goes first, with any columns.
 */
export const eventColumns = (type: EventType, fieldNames: readonly string[]): string[] => [
  ...OF_EVENT,
  ...namesOf(type),
  ...(isLeadEvent(type) ? fieldNames.map((name) => columnOf(name, type)) : []),
];

/** What distinguishes the field of a lead from a value of the event. */
const columnOf = (name: string, type: EventType): string =>
  OF_EVENT.some((one) => one === name) || namesOf(type).includes(name) ? FIELDS + name : name;

/** Whether a column can have a value, given the names of the existing fields. */
export const isEventColumn = (
  name: string,
  type: EventType,
  fieldNames: readonly string[],
): boolean =>
  eventColumns(type, fieldNames).includes(name) ||
  (isLeadEvent(type) &&
    ((name.startsWith(EXTRA) && name.length > EXTRA.length) ||
      (name.startsWith(FIELDS) && fieldNames.includes(name.slice(FIELDS.length)))));

/** The first row of an empty sheet: the name of each column. */
export const headerOf = (columns: readonly string[]): string[] => [EVENT_ID, ...othersOf(columns)];

const othersOf = (columns: readonly string[]): string[] =>
  columns.filter((name) => name !== EVENT_ID);

/** The cells of an event, its id first. A missing value is an empty cell. */
export const buildEventRow = (
  envelope: Envelope,
  columns: readonly string[],
): [string, ...Scalar[]] => [
  envelope.id,
  ...othersOf(columns).map((name) => cellOf(valueOf(envelope, name))),
];

function valueOf({ type, created_at, data }: Envelope, name: string): unknown {
  switch (name) {
    case 'event_type':
      return type;
    case 'event_at':
      return created_at;
  }
  if (namesOf(type).includes(name)) return getOwn(data, name);
  const { fields = {}, extra = {} } = data as { fields?: Fields; extra?: Fields };
  if (name.startsWith(EXTRA)) return fieldOf(extra, name.slice(EXTRA.length));
  return fieldOf(fields, name.startsWith(FIELDS) ? name.slice(FIELDS.length) : name);
}

function cellOf(value: unknown): Scalar {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  const text = Array.isArray(value) ? value.join(', ') : value;
  return typeof text === 'string' ? text.slice(0, CELL_MAX) : '';
}
