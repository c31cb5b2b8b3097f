import { automationSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { AutomationDoc } from '../../src/account/store/automationDocs.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { TEST_SECRET } from '../support/service.js';
import { NOW } from '../support/storedRows.js';

/** Signs the events of every automation made here. */
export const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cyE=';

/** A webhook for all accepted leads of `org`; `overrides` change it. */
export function anAutomation(
  overrides: Partial<AutomationDoc> & { url?: string } = {},
): AutomationDoc {
  const { url = 'http://127.0.0.1:1/', ...rest } = overrides;
  const _id = overrides._id ?? randomUUID();
  return {
    _id,
    org_id: 'org',
    name: 'Told',
    trigger: 'lead.accepted',
    campaign_id: null,
    conditions: null,
    action: 'WEBHOOK',
    target: { url },
    secret: createKeyring(TEST_SECRET).seal(SECRET, automationSecretPlace(_id)),
    status: 'active',
    created_at: NOW,
    ...rest,
  } as AutomationDoc;
}
