/** Organizations of tests. */
import { createOrg } from '../../src/account/orgs.js';
import type { OrgDoc } from '../../src/account/store/accountDocs.js';
import type { AccountCollections } from '../../src/account/store/collections.js';
import { windowKeys, type WindowKeys } from '../../src/fields/windowKeys.js';

/** Not UTC: in an account of UTC, a day taken from the wrong clock is the right one. */
export const TEST_ZONE = 'America/New_York';

export const makeOrg = (collections: AccountCollections, name = 'Org'): Promise<OrgDoc> =>
  createOrg(collections, { name, time_zone: TEST_ZONE });

/** The windows that caps of such an organization count in now. */
export const windowsNow = (): WindowKeys => windowKeys(new Date(), TEST_ZONE);
