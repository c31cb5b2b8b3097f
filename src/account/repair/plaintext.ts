/**
 * What an earlier release stored in plain text: values of headers, which hold keys of buyers, and templates and
 * addresses in the audit log.
 * @until 0.3
 */
import { isDeepStrictEqual } from 'node:util';
import type { Keyring } from '../../platform/security/seal.js';
import { runStages, stageOf, type StagedDeps } from '../../platform/mongo/stagedRepair.js';
import { withoutSecrets } from '../redaction.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';
import { planStages } from './resealing.js';

export interface SealingDeps extends StagedDeps {
  collections: Pick<AccountCollections, 'buyers' | 'campaignBuyers' | 'plans' | 'audit'>;
  keyring: Keyring;
  log: Pick<Log, 'error'>;
}

const NAME = 'sealed_headers';

/** Seals the headers and redacts the audit log. Returns the number of records it mended. */
export const sealPlaintext = (deps: SealingDeps): Promise<number> => {
  const { audit } = deps.collections;
  const redactAudit = stageOf(audit, { input: 1 }, async ({ _id, input }) => {
    const shown = withoutSecrets(input) as Record<string, unknown>;
    if (isDeepStrictEqual(shown, input)) return 0;
    await audit.updateOne({ _id }, { $set: { input: shown } });
    return 1;
  });
  return runStages(NAME, [...planStages(deps), redactAudit], deps);
};
