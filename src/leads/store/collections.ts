/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import type { ClaimDoc, AnsweredDoc } from './intakeDocs.js';

export const leadCollections = (db: Db) => ({
  leads: db.collection<Lead>('leads'),
  claims: db.collection<ClaimDoc>('claims'),
  answered: db.collection<AnsweredDoc>('answered'),
});
export type LeadCollections = ReturnType<typeof leadCollections>;
