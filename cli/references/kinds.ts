/** The kinds of records that commands take by id: the list that has them, and what people call them. */
import { isWrittenAsId } from '../../src/lib/ids.js';

export interface Kind {
  /** As in `There is no campaign`. */
  noun: string;
  /** The action that lists them. */
  list: string;
  /** The command that lists them, for hints. */
  command: string;
  /** Where a row has its id; default `id`. */
  idKey?: string;
  /** Keys by whose values people know one. */
  names: readonly string[];
}

/** By the key of an input. Other keys that end in `_id` are not references to records of the account. */
export const KINDS = {
  campaign_id: {
    noun: 'campaign',
    list: 'list_campaigns',
    command: 'campaigns list',
    names: ['name'],
  },
  buyer_id: { noun: 'buyer', list: 'list_buyers', command: 'buyers list', names: ['name'] },
  supplier_id: {
    noun: 'supplier',
    list: 'list_suppliers',
    command: 'suppliers list',
    names: ['name'],
  },
  lead_id: { noun: 'lead', list: 'search', command: 'leads list', names: [] },
  automation_id: {
    noun: 'automation',
    list: 'list_automations',
    command: 'automations list',
    names: ['name'],
  },
  funnel_id: { noun: 'funnel', list: 'list_funnels', command: 'funnels list', names: ['name'] },
  key_id: { noun: 'key', list: 'list_api_keys', command: 'keys list', names: ['name', 'prefix'] },
  member_id: {
    noun: 'member',
    list: 'list_members',
    command: 'members list',
    names: ['email', 'name'],
  },
  list_id: {
    noun: 'list',
    list: 'list_suppressions',
    command: 'suppressions list',
    names: ['name'],
  },
  return_id: { noun: 'return', list: 'list_returns', command: 'returns list', names: [] },
  request_id: {
    noun: 'request',
    list: 'list_change_requests',
    command: 'portal list-changes',
    names: [],
  },
  ping_id: {
    noun: 'ping',
    list: 'list_pings',
    command: 'pings list',
    idKey: 'ping_id',
    names: [],
  },
  event_id: { noun: 'event', list: 'list_events', command: 'events list', names: [] },
  delivery_id: { noun: 'delivery', list: 'list_deliveries', command: 'deliveries list', names: [] },
} as const satisfies Record<string, Kind>;

export type KindKey = keyof typeof KINDS;

export const isKind = (key: string): key is KindKey => Object.hasOwn(KINDS, key);

/** The kind that the records of a command are of, by its noun: `campaigns get`. */
export const KIND_OF_NOUN: Readonly<Record<string, KindKey>> = {
  campaigns: 'campaign_id',
  buyers: 'buyer_id',
  suppliers: 'supplier_id',
  leads: 'lead_id',
  automations: 'automation_id',
  funnels: 'funnel_id',
  keys: 'key_id',
  returns: 'return_id',
  suppressions: 'list_id',
  pings: 'ping_id',
};

/** A prefix and at least 12 more signs, such as `fun_3f9a60c17a3d4a539a510f2b`. */
const PREFIXED = /^(?:[a-z]+_)+[0-9A-Za-z-]{12,}$/;

/** The token of a ping, as suppliers get it: its parts are base64url, and the first begins with `{"`. */
const TOKEN = /^eyJ[\w-]{20,}(?:\.[\w-]+)*$/;

/** Whether a text is written as whole ids are: then it is one, whatever records are called. */
export function isWholeId(text: string): boolean {
  const [first = '', ...others] = text.split(':');
  // A return is named by its lead, its buyer and a number.
  if (others.length > 0) return isWrittenAsId(first) && others.every((part) => part !== '');
  return isWrittenAsId(text) || PREFIXED.test(text) || TOKEN.test(text);
}
