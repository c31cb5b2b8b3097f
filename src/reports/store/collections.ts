/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { AttemptDayDoc, AttemptSpanDoc } from './attemptDayDocs.js';
import type { RollupDoc, PingRollupDoc, RollupStateDoc } from './rollupDocs.js';

export const reportCollections = (db: Db) => ({
  rollups: db.collection<RollupDoc>('rollups'),
  pingRollups: db.collection<PingRollupDoc>('ping_rollups'),
  rollupState: db.collection<RollupStateDoc>('rollup_state'),
  attemptDays: db.collection<AttemptDayDoc>('attempt_days'),
  attemptSpans: db.collection<AttemptSpanDoc>('attempt_spans'),
});
export type ReportCollections = ReturnType<typeof reportCollections>;
