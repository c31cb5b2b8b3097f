/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { peopleCollections } from '../../people/store/collections.js';
import type { Lead } from '../rules/lead.js';
import type { ClaimDoc, AnsweredDoc } from './intakeDocs.js';

export const leadCollections = (db: Db) => ({
  ...peopleCollections(db),
  leads: db.collection<Lead>('leads'),
  claims: db.collection<ClaimDoc>('claims'),
  answered: db.collection<AnsweredDoc>('answered'),
});
export type LeadCollections = ReturnType<typeof leadCollections>;
