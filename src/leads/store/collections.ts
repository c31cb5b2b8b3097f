/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { accountCollections, type AccountCollections } from '../../account/store/collections.js';
import type { Lead } from '../rules/lead.js';
import type { ClaimDoc, AnsweredDoc } from './intakeDocs.js';

export interface LeadCollections extends AccountCollections {
  leads: Collection<Lead>;
  claims: Collection<ClaimDoc>;
  answered: Collection<AnsweredDoc>;
}

export const leadCollections = (db: Db): LeadCollections => ({
  ...accountCollections(db),
  leads: db.collection('leads'),
  claims: db.collection('claims'),
  answered: db.collection('answered'),
});
