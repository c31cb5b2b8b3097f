/** Entries of the record of changes in words, and the way to what they changed. */

/** `update_campaign_buyer` as a person says it: Update campaign buyer. */
export function actionWords(action: string): string {
  const [portal, name = action] = action.includes('.') ? action.split('.', 2) : [undefined, action];
  const words = name.replaceAll('_', ' ');
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return portal === undefined ? sentence : `${sentence} (${portal.replaceAll('_', ' ')})`;
}

/** Where the record of an id is shown, by the key that named it. */
const PLACES: Readonly<Record<string, (id: string) => string>> = {
  lead_id: (id) => `/leads/${id}`,
  campaign_id: (id) => `/campaigns/${id}`,
  buyer_id: (id) => `/buyers/${id}`,
  supplier_id: (id) => `/suppliers/${id}`,
  ping_id: (id) => `/pings/${id}`,
};
/** What an action without such a key makes. */
const MADE: Readonly<Record<string, string>> = {
  create_campaign: 'campaign_id',
  copy_campaign: 'campaign_id',
  create_buyer: 'buyer_id',
  create_supplier: 'supplier_id',
};

export interface RecordLink {
  id: string;
  /** `Campaign`, `Lead`. */
  kind: string;
  href: string;
}

interface Entry {
  action: string;
  input: Readonly<Record<string, unknown>>;
  records: readonly string[];
}

/** The records that have a page here, in the order in which the call named them. */
export function recordLinks({ action, input, records }: Entry): RecordLink[] {
  const named = Object.entries(input).flatMap(([key, value]): RecordLink[] =>
    typeof value === 'string' ? linkTo(key, value) : [],
  );
  const key = Object.hasOwn(MADE, action) ? MADE[action] : undefined;
  const ofInput = new Set(Object.values(input));
  const made = records.find((id) => !ofInput.has(id));
  return key === undefined || made === undefined ? named : [...linkTo(key, made), ...named];
}

function linkTo(key: string, id: string): RecordLink[] {
  const place = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined;
  if (!place) return [];
  const kind = key.replace(/_id$/, '');
  return [{ id, kind: kind.charAt(0).toUpperCase() + kind.slice(1), href: place(id) }];
}

/** What a call set; the ids say only where. */
export const settingsOf = ({ input }: Pick<Entry, 'input'>): [key: string, value: unknown][] =>
  Object.entries(input).filter(([key]) => !/_ids?$/.test(key));

/** A value as a person reads it. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

interface Dated extends Entry {
  id: string;
  at: string;
  outcome: string | null;
}

/**
 * The value that an earlier call gave to the same setting of the same records, and when; undefined where none of those
 * calls set it.
 * @param others newest first
 */
export function valueBefore(
  entry: Dated,
  key: string,
  others: readonly Dated[],
): { value: unknown; at: string } | undefined {
  const found = others.find(
    (other) =>
      other.at < entry.at &&
      other.outcome === 'done' &&
      Object.hasOwn(other.input, key) &&
      entry.records.every((id) => other.records.includes(id)),
  );
  return found && { value: new Map(Object.entries(found.input)).get(key), at: found.at };
}
