/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import type { ClaimDoc, AnsweredDoc, ImportedRowDoc } from './intakeDocs.js';

export const leadCollections = (db: Db) => ({
  leads: db.collection<Lead>('leads'),
  claims: db.collection<ClaimDoc>('claims'),
  importedRows: db.collection<ImportedRowDoc>('imported_rows'),
  answered: db.collection<AnsweredDoc>('answered'),
});
export type LeadCollections = ReturnType<typeof leadCollections>;
