/** Organizations of tests. */
import type { AccountContext } from '../../src/account/context.js';
import { createOrg } from '../../src/account/orgs.js';
import type { OrgDoc } from '../../src/account/store/accountDocs.js';
import type { AccountCollections } from '../../src/account/store/collections.js';
import { windowKeys, type WindowKeys } from '../../src/fields/windowKeys.js';
import { systemClock } from '../../src/lib/clock.js';
import { createKeyring } from '../../src/platform/security/seal.js';

/** Not UTC: in an account of UTC, a day taken from the wrong clock is the right one. */
export const TEST_ZONE = 'America/New_York';

export const makeOrg = (collections: AccountCollections, name = 'Org'): Promise<OrgDoc> =>
  createOrg(collections, { name, time_zone: TEST_ZONE });

/** Where an installation may send that allows everything. */
const ANYWHERE = { allowPrivate: true, mail: true, sheets: true };
const KEYRING = createKeyring('a secret of the tests, long enough');

/**
 * The account of an organization, as functions of the account take it: of a whole service, or of a database alone.
 * Without an author it is changed in the service's own name.
 */
export const accountOf = (
  {
    collections,
    keyring = KEYRING,
    policy = ANYWHERE,
    clock = systemClock,
    author,
  }: Pick<AccountContext, 'collections'> & Partial<AccountContext>,
  orgId: string,
): AccountContext => ({ collections, orgId, keyring, policy, clock, author });

/** The windows that caps of such an organization count in now. */
export const windowsNow = (): WindowKeys => windowKeys(new Date(), TEST_ZONE);
