/** Leads by what an operator has at hand: an id or its beginning, a value of a field, or a name. */
import type { Collection, Filter } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { Projected } from '../../platform/mongo/projected.js';
import { LEADS_BY_KEY, LEADS_NEWEST, NEWEST } from './leadIndexes.js';
import { FOUND_FIELDS } from './leadPages.js';

/** Without the trail: how a lead was decided is its largest part, and no result shows it. */
const FIELDS = { ...FOUND_FIELDS, is_test: 1 } as const;

/** The fields of a found lead; of its `fields` those of a list, and its name. */
export type FoundLead = Projected<Lead, typeof FIELDS> & Pick<Lead, 'fields'>;

/** A person's name, phone and email alone: of thousands of leads a few are shown. */
const NAMED = {
  'fields.first_name': 1,
  'fields.last_name': 1,
  'fields.phone': 1,
  'fields.email': 1,
} as const;

export type NamedLead = Pick<Lead, '_id' | 'fields'>;

/** Newest live leads that are read for a name in another spelling. */
export const NAME_WINDOW = 2_000;
/** Milliseconds; every call to MongoDB ends after two seconds anyway. */
const WITHIN_MS = 1_000;

export interface LeadSearch {
  org_id: string;
  limit: number;
}

/** Each returns null where it had to skip too many leads to end in time. */
export const createLeadSearch = (leads: Collection<Lead>, { org_id, limit }: LeadSearch) => {
  const options = { projection: FIELDS, maxTimeMS: WITHIN_MS };
  const found = (where: Filter<Lead>, hint: object): Promise<FoundLead[] | null> =>
    inTimeLimit(() =>
      leads
        .find<FoundLead>({ org_id, ...where }, { ...options, hint: hint as Record<string, 1 | -1> })
        .sort(NEWEST)
        .limit(limit)
        .toArray(),
    );
  return {
    /** The ids that begin with this, in their order. @param prefix in lower case */
    byId: (prefix: string): Promise<FoundLead[] | null> =>
      inTimeLimit(() =>
        leads
          .find<FoundLead>({ _id: { $gte: prefix, $lt: `${prefix}\uFFFF` }, org_id }, options)
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    /** Newest first, those that have any of these values (`lookupKeysOf`). */
    byKeys: (keys: readonly string[]): Promise<FoundLead[] | null> =>
      found({ keys: { $in: [...keys] } }, LEADS_BY_KEY),
    /** Newest first, those with any of these last names and any of these first names. */
    byNames: (last: readonly string[], first: readonly string[]): Promise<FoundLead[] | null> =>
      found({ keys: { $in: [...last] }, 'fields.first_name': { $in: [...first] } }, LEADS_BY_KEY),
    /** Who the newest live leads are, for a name in any case. */
    newest: (): Promise<NamedLead[] | null> =>
      inTimeLimit(() =>
        leads
          .find<NamedLead>(
            { org_id, is_test: false },
            { ...options, projection: NAMED, hint: LEADS_NEWEST },
          )
          .sort(NEWEST)
          .limit(NAME_WINDOW)
          .toArray(),
      ),
    /** Those with these ids, by id. */
    byIds: (ids: readonly string[]): Promise<Map<string, FoundLead>> =>
      findByIds<Lead, FoundLead>(leads, ids, { projection: FIELDS }),
  };
};
