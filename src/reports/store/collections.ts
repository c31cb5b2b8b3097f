/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { pingCollections, type PingCollections } from '../../pings/store/collections.js';
import type { AttemptDayDoc, AttemptSpanDoc } from './attemptDayDocs.js';
import type { RollupDoc, PingRollupDoc, RollupStateDoc } from './rollupDocs.js';

export interface ReportCollections extends PingCollections {
  rollups: Collection<RollupDoc>;
  pingRollups: Collection<PingRollupDoc>;
  rollupState: Collection<RollupStateDoc>;
  attemptDays: Collection<AttemptDayDoc>;
  attemptSpans: Collection<AttemptSpanDoc>;
}

export const reportCollections = (db: Db): ReportCollections => ({
  ...pingCollections(db),
  rollups: db.collection('rollups'),
  pingRollups: db.collection('ping_rollups'),
  rollupState: db.collection('rollup_state'),
  attemptDays: db.collection('attempt_days'),
  attemptSpans: db.collection('attempt_spans'),
});
