/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { RateDoc } from '../rateLimits/store/rateDoc.js';
import type { WindowDoc } from '../rateLimits/store/windows.js';

export const platformCollections = (db: Db) => ({
  rates: db.collection<RateDoc>('rates'),
  windows: db.collection<WindowDoc>('windows'),
});
export type PlatformCollections = ReturnType<typeof platformCollections>;
