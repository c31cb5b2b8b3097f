/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { peopleCollections, type PeopleCollections } from '../../people/store/collections.js';
import type { Lead } from '../rules/lead.js';
import type { ClaimDoc, AnsweredDoc } from './intakeDocs.js';

export interface LeadCollections extends PeopleCollections {
  leads: Collection<Lead>;
  claims: Collection<ClaimDoc>;
  answered: Collection<AnsweredDoc>;
}

export const leadCollections = (db: Db): LeadCollections => ({
  ...peopleCollections(db),
  leads: db.collection('leads'),
  claims: db.collection('claims'),
  answered: db.collection('answered'),
});
