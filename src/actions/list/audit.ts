/** Who changed what. */
import { z } from 'zod';
import type { Filter } from 'mongodb';
import type { AuditDoc } from '../../store/auditDocs.js';
import { defineAction } from '../action.js';
import { ACTION_NAMES } from '../names.js';
import { readCursor, writeCursor } from '../cursor.js';
import { Instant, recordId, recordName } from '../schemas/common.js';

const Entry = z.object({
  id: recordId('entry'),
  at: Instant.describe('When it was called, in UTC'),
  action: z.string().meta({ description: 'Which action', examples: ['create_campaign'] }),
  key: z
    .object({ id: recordId('key'), name: recordName('key').meta({ examples: ['Operations'] }) })
    .describe('By which key'),
  input: z.looseObject({}).describe('What was asked; secrets are hidden'),
  outcome: z
    .enum(['done', 'refused', 'failed'])
    .nullable()
    .describe('null: it was begun, and what came of it was not recorded'),
  error: z.string().nullable().describe('What it was refused with; null where it was done'),
});

export const listAudit = defineAction({
  name: 'list_audit',
  cli: ['audit', 'list'],
  summary: 'List changes of the account',
  description:
    'Every call that changes something, newest first: by which key, what was asked, what came of it.',
  effect: 'read',
  idempotent: true,
  permission: 'settings:read',
  input: z.strictObject({
    action: z.enum(ACTION_NAMES).optional().describe('Only calls of this action'),
    limit: z.number().int().min(1).max(500).default(100).describe('Most entries of a page'),
    cursor: z.string().max(200).optional().describe('next_cursor of the page before'),
  }),
  example: { limit: 20 },
  output: z.object({
    entries: z.array(Entry).describe('Newest first'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Where the next page begins; null: this is the last'),
  }),
  async run({ action, limit, cursor }, { collections, caller }) {
    const wanted: Filter<AuditDoc> = { org_id: caller.org_id };
    if (action !== undefined) wanted.action = action;
    if (cursor !== undefined) {
      const { at, id } = readCursor(cursor);
      wanted.at = { $lte: at };
      wanted.$or = [{ at: { $lt: at } }, { at, _id: { $gt: id } }];
    }
    const found = await collections.audit
      .find(wanted)
      .sort({ org_id: 1, at: -1, _id: 1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: page.map((entry) => ({
        ...{ id: entry._id, at: entry.at.toISOString(), action: entry.action },
        key: { id: entry.key_id, name: entry.key_name },
        ...{ input: entry.input, outcome: entry.outcome, error: entry.error ?? null },
      })),
      next_cursor: found.length > limit && last ? writeCursor(last.at, last._id) : null,
    };
  },
});
