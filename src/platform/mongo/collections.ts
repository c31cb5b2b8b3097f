/** The collections of `src/platform`: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import type { RateDoc } from '../rateLimits/store/rateDoc.js';
import type { WindowDoc } from '../rateLimits/store/windows.js';

export interface PlatformCollections {
  rates: Collection<RateDoc>;
  windows: Collection<WindowDoc>;
}

export const platformCollections = (db: Db): PlatformCollections => ({
  rates: db.collection('rates'),
  windows: db.collection('windows'),
});
