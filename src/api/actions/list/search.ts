/** One search over leads, campaigns, buyers and suppliers, by what an operator has at hand. */
import { z } from 'zod';
import {
  findRecordsById,
  findRecordsByName,
  type FoundRecord,
} from '../../../account/store/searchRecords.js';
import { normalizeEmail, normalizePhone } from '../../../fields/normalize.js';
import { lookupKeysOf } from '../../../leads/rules/dedupe.js';
import { shownStatus } from '../../../leads/rules/shownStatus.js';
import {
  createLeadSearch,
  NAME_WINDOW,
  type FoundLead,
  type NamedLead,
} from '../../../leads/store/searchLeads.js';
import { visibleText } from '../../../lib/invisible.js';
import { defineAction, type ActionContext } from '../action.js';
import { PEOPLE } from '../exits.js';
import { isName, nameKeys, nameParts, spellings } from '../leadText.js';
import { invalidField } from '../readInput.js';
import { readNames } from '../recordNames.js';
import { orNull, recordId } from '../schemas/common.js';

const Kind = z.enum(['campaign', 'buyer', 'supplier', 'lead']);
type Kind = z.output<typeof Kind>;
const Matched = z.enum(['id', 'id_prefix', 'name', 'phone', 'email', 'click_id']);
type Matched = z.output<typeof Matched>;

/** Fewer characters of an id say too little: every tenth record would begin so. */
const PREFIX_MIN = 4;
const ID_BEGIN = /^[0-9a-f][0-9a-f-]*$/i;

const Result = z.object({
  type: Kind.describe('The kind of record'),
  id: recordId('record'),
  name: orNull(z.string()).describe('Its name; of a lead that of its person; null: it has none'),
  status: z.string().describe('As its list shows it'),
  detail: z.string().describe('Of a lead its campaign; when the record was created'),
  matched: Matched.describe('What matches the query'),
});
type Result = z.input<typeof Result>;

export const search = defineAction({
  name: 'search',
  cli: ['search', 'find'],
  summary: 'Find leads, campaigns, buyers and suppliers',
  description:
    'Finds records by id, the beginning of an id, name, phone, email or click_id. Exact matches come first; an id that ' +
    'begins with the query is unique where it is the only result of its kind. Names of campaigns, buyers and suppliers ' +
    'match in part and in any case. Names of leads match as they are stored; in another case, or in part as phones and emails too, only among the ' +
    `newest ${NAME_WINDOW} live leads, and notes then says so.`,
  permission: 'leads:read',
  letsOut: [PEOPLE],
  hides: ['query'],
  input: z.strictObject({
    query: z
      .string()
      .min(2)
      .max(200)
      .describe(
        'An id or its beginning (4 characters or more), a name, a phone, an email, a click_id',
      ),
    types: z
      .array(Kind)
      .min(1)
      .max(4)
      .default(['campaign', 'buyer', 'supplier', 'lead'])
      .describe('Only these kinds; default all'),
    max_results: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(20)
      .describe('Default 20 of each type, 1 to 50'),
  }),
  example: { query: 'Solar', types: ['campaign', 'buyer'] },
  output: z.object({
    results: z.array(Result).describe('Exact matches first'),
    notes: z.array(z.string()).describe('What was not searched, or not completely'),
  }),
  rows: 'results',
  async run({ query, types, max_results: limit }, context) {
    const text = visibleText(query);
    if (text.length < 2) throw invalidField('query', 'required', 'query must not be blank.');
    const wanted: Wanted = { text, limit, notes: [] };
    const kinds = [...new Set(types)];
    const found = await Promise.all(
      kinds.map((kind) =>
        kind === 'lead' ? findLeads(wanted, context) : findRecords(kind, wanted, context),
      ),
    );
    const results = found.flat().toSorted((a, b) => rank(a.matched) - rank(b.matched));
    return { results, notes: wanted.notes };
  },
});

/** A search, and what it has to tell beyond its results. */
interface Wanted {
  text: string;
  limit: number;
  notes: string[];
}

const rank = (matched: Matched): number => (matched === 'id' ? 0 : matched === 'id_prefix' ? 2 : 1);

const isIdPrefix = (text: string): boolean => text.length >= PREFIX_MIN && ID_BEGIN.test(text);

async function findRecords(
  type: Exclude<Kind, 'lead'>,
  { text, limit, notes }: Wanted,
  { collections, caller }: ActionContext,
): Promise<Result[]> {
  const records = {
    campaign: collections.campaigns,
    buyer: collections.buyers,
    supplier: collections.suppliers,
  }[type];
  const asked = { org_id: caller.org_id, limit: limit + 1 };
  // One collection or another: what the queries need of them is the same.
  const of = records as typeof collections.buyers;
  const [byId, byName] = await Promise.all([
    isIdPrefix(text) ? findRecordsById(of, { ...asked, text: text.toLowerCase() }) : [],
    findRecordsByName(of, { ...asked, text }),
  ]);
  const rows = [
    ...byId.map((one) => recordRow(type, one, matchOfId(one._id, text))),
    ...byName.map((one) => recordRow(type, one, 'name')),
  ];
  return kept(rows, { limit, notes });
}

const matchOfId = (id: string, text: string): Matched =>
  id === text.toLowerCase() ? 'id' : 'id_prefix';

const recordRow = (type: Kind, one: FoundRecord, matched: Matched): Result => ({
  type,
  matched,
  id: one._id,
  name: one.name,
  status: one.status,
  detail: one.created_at.toISOString(),
});

async function findLeads(wanted: Wanted, context: ActionContext): Promise<Result[]> {
  const { text, limit, notes } = wanted;
  const { collections, caller } = context;
  const leads = createLeadSearch(collections.leads, { org_id: caller.org_id, limit: limit + 1 });
  const found: { lead: FoundLead; matched: Matched }[] = [];
  const take = async (
    search: Promise<FoundLead[] | null>,
    matchOf: (one: FoundLead) => Matched,
  ) => {
    const some = await search;
    if (some) found.push(...some.map((lead) => ({ lead, matched: matchOf(lead) })));
    else
      notes.push(
        'Not all leads could be searched in time: give more of the id, or the whole name.',
      );
  };
  if (isIdPrefix(text))
    await take(leads.byId(text.toLowerCase()), ({ _id }) => matchOfId(_id, text));
  for (const [name, value] of valuesOf(text))
    await take(leads.byKeys(lookupKeysOf(name, value)), () => name);
  if (isName(text)) for (const search of namesOf(text, leads)) await take(search(), () => 'name');
  if (found.length <= limit && (isName(text) || found.length === 0)) {
    const newest = (await leads.newest()) ?? [];
    const matchOf = partOf(text);
    const parts = newest.flatMap((lead) => {
      const matched = matchOf(lead);
      return matched ? [{ id: lead._id, matched }] : [];
    });
    // Those that were found before may come again: beyond them, one more than is shown.
    const shown = parts.slice(0, found.length + limit + 1);
    const whole = await leads.byIds(shown.map(({ id }) => id));
    for (const { id, matched } of shown) {
      const lead = whole.get(id);
      if (lead) found.push({ lead, matched });
    }
    if (newest.length === NAME_WINDOW)
      notes.push(
        `Names in another case, and parts of names, phones and emails: only the newest ${NAME_WINDOW} live leads were searched.`,
      );
  }
  const campaigns = await readNames(
    collections.campaigns,
    found.map(({ lead }) => lead.campaign_id),
    caller.org_id,
  );
  const rows = found.map(({ lead, matched }): Result => ({
    type: 'lead',
    matched,
    id: lead._id,
    name: nameOf(lead),
    status: shownStatus(lead),
    detail: `${campaigns.get(lead.campaign_id) ?? lead.campaign_id}${lead.is_test ? ' (test)' : ''}, ${lead.created_at.toISOString()}`,
  }));
  return kept(rows, { limit, notes });
}

/** The fields that the text may be a value of, in the form in which leads store it. */
function valuesOf(text: string): ['phone' | 'email' | 'click_id', string][] {
  const phone = normalizePhone(text);
  const email = normalizeEmail(text);
  return [
    ...(phone === null ? [] : [['phone', phone] as ['phone', string]]),
    ...(email === null ? [] : [['email', email] as ['email', string]]),
    ['click_id', text],
  ];
}

/** The searches by index: one word may be either name, of more both parts count. */
function namesOf(text: string, leads: ReturnType<typeof createLeadSearch>) {
  const { first, last } = nameParts(text);
  if (first === '')
    return [() => leads.byKeys([...nameKeys('last_name', last), ...nameKeys('first_name', last)])];
  return [() => leads.byNames(nameKeys('last_name', last), spellings(first))];
}

/** Fewer digits or letters are in every tenth lead. */
const PART_MIN = 4;

/** What of a new lead the text is a part of: its name, its phone by digits alone, its email. */
function partOf(text: string): (lead: NamedLead) => Matched | null {
  const part = text.toLowerCase();
  const { first, last } = nameParts(part);
  const digits = text.replaceAll(/[\s()+.-]/g, '');
  const isPhone = /^\d+$/.test(digits) && digits.length >= PART_MIN;
  const lower = (value: NamedLead['fields'][string] | undefined): string =>
    String(value ?? '').toLowerCase();
  return (lead) => {
    const { first_name, last_name, phone, email } = lead.fields;
    if (nameOf(lead)?.toLowerCase().includes(part)) return 'name';
    if (first !== '' && lower(first_name).startsWith(first) && lower(last_name).startsWith(last))
      return 'name';
    if (isPhone && lower(phone).includes(digits)) return 'phone';
    return part.length >= PART_MIN && lower(email).includes(part) ? 'email' : null;
  };
}

function nameOf({ fields }: NamedLead): string | null {
  const parts = [fields.first_name, fields.last_name].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(' ');
}

/** Each record once, the best match first; the notes say what is left out. */
function kept(rows: readonly Result[], { limit, notes }: Omit<Wanted, 'text'>): Result[] {
  const each = new Map<string, Result>();
  for (const row of rows.toSorted((a, b) => rank(a.matched) - rank(b.matched)))
    if (!each.has(row.id)) each.set(row.id, row);
  const all = [...each.values()];
  if (all.length > limit)
    notes.push(
      `There are more than ${limit} of the type ${all[0]?.type ?? ''}: give more of it, or a higher max_results.`,
    );
  return all.slice(0, limit);
}
