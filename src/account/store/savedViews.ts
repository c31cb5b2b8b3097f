/** Filters of a list, or of a report, that somebody keeps under a name. */
import { randomUUID } from 'node:crypto';
import type { Collection, Filter } from 'mongodb';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';
import type { Actor } from './auditDocs.js';

export interface SavedViewDoc {
  _id: string;
  org_id: string;
  /** The list or report that it is of. */
  screen: string;
  name: string;
  /** The name in lower case: two names that differ in capitals alone are one. */
  name_key: string;
  /** As the screen's address has it. */
  query: string;
  owner: Actor;
  /** Everyone in the organization sees it. */
  is_shared: boolean;
  /** One of the owner's places, 0 to VIEWS_MAX - 1: nobody has more views than places. */
  place: number;
  created_at: Date;
  updated_at: Date;
}

/** Of one owner. */
export const VIEWS_MAX = 50;
/** Of a screen: what one answer holds. */
const LISTED_MAX = 500;

export type SavedViews = Collection<SavedViewDoc>;

interface Whose {
  org_id: string;
  /** The person, or the key. */
  owner_id: string;
}

/** Those that the caller sees on a screen, by name: its own and the shared ones. */
export async function findSavedViews(
  views: SavedViews,
  { org_id, owner_id }: Whose,
  screen: string,
): Promise<SavedViewDoc[]> {
  const of = (where: Filter<SavedViewDoc>): Promise<SavedViewDoc[]> =>
    views
      .find({ org_id, screen, ...where })
      .sort({ name_key: 1 })
      .limit(LISTED_MAX)
      .toArray();
  const [own, shared] = await Promise.all([of({ 'owner.id': owner_id }), of({ is_shared: true })]);
  const others = shared.filter(({ owner }) => owner.id !== owner_id);
  return [...own, ...others].toSorted((a, b) => a.name_key.localeCompare(b.name_key, 'en'));
}

export type NewView = Pick<
  SavedViewDoc,
  'org_id' | 'screen' | 'name' | 'query' | 'owner' | 'is_shared'
>;

/**
 * Keeps it in place of the owner's view of that name on that screen, if there is one.
 * @returns null where the owner has no place left
 */
export async function keepView(
  views: SavedViews,
  view: NewView,
  now: Date,
): Promise<SavedViewDoc | null> {
  const { org_id, screen, name, query, owner, is_shared } = view;
  const name_key = nameKey(name);
  // Each turn loses a place or a name to another save; a name that is taken is changed in the next turn.
  for (let turn = 0; turn <= VIEWS_MAX; turn += 1) {
    const changed = await views.findOneAndUpdate(
      { org_id, screen, 'owner.id': owner.id, name_key },
      { $set: { name, query, is_shared, owner, updated_at: now } },
      { returnDocument: 'after' },
    );
    if (changed) return changed;
    const place = await freePlace(views, { org_id, owner_id: owner.id });
    if (place === null) return null;
    const stamps = { created_at: now, updated_at: now };
    const doc = { _id: randomUUID(), ...view, name_key, place, ...stamps };
    try {
      await views.insertOne(doc);
      return doc;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return null;
}

async function freePlace(views: SavedViews, { org_id, owner_id }: Whose): Promise<number | null> {
  const taken = await views
    .find({ org_id, 'owner.id': owner_id }, { projection: { place: 1 } })
    .limit(VIEWS_MAX)
    .toArray();
  const places = new Set(taken.map(({ place }) => place));
  for (let place = 0; place < VIEWS_MAX; place += 1) if (!places.has(place)) return place;
  return null;
}

const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

/** One that the caller sees. */
export const findSavedView = (
  views: SavedViews,
  { org_id, owner_id }: Whose,
  _id: string,
): Promise<SavedViewDoc | null> =>
  views.findOne({ _id, org_id, $or: [{ 'owner.id': owner_id }, { is_shared: true }] });

export const dropView = async (
  views: SavedViews,
  { _id, org_id }: Pick<SavedViewDoc, '_id' | 'org_id'>,
): Promise<void> => {
  await views.deleteOne({ _id, org_id });
};

export const SAVED_VIEW_INDEXES: IndexRow[] = [
  index(
    'saved_views',
    { org_id: 1, screen: 1, 'owner.id': 1, name_key: 1 },
    "a screen's views of an owner; one of each name",
    { unique: true },
  ),
  index(
    'saved_views',
    { org_id: 1, screen: 1, name_key: 1 },
    'the views of a screen that the organization shares',
    { partialFilterExpression: { is_shared: true } },
  ),
  index(
    'saved_views',
    { org_id: 1, 'owner.id': 1, place: 1 },
    'the places of an owner; one view in each',
    { unique: true },
  ),
];
