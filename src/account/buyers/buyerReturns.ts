/** Which leads a buyer may return, as a person sets it up. */
import { layOver, readParts, settled } from '../../lib/schema/zodIssues.js';
import type { AccountContext } from '../context.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { changeRecord } from '../../platform/mongo/changeRecord.js';
import { findBuyer } from './buyers.js';
import { Returns, type ReturnSettings, type ReturnsInput } from './returnsSchema.js';

/**
 * Sets what is given and leaves the rest. It applies to requests from now on, and to the acceptance of earlier ones.
 * @throws {AppError} `not_found`, or `validation_failed` naming every setting that is not valid
 */
export function setBuyerReturns(
  account: Pick<AccountContext, 'collections' | 'orgId'>,
  buyerId: string,
  input: ReturnsInput,
): Promise<BuyerDoc> {
  return changeRecord(account.collections.buyers, {
    read: () => findBuyer(account, buyerId),
    set: (current) => ({ returns: checkBuyerReturns(input, current.returns) }),
  });
}

/**
 * Complete settings from what was given, over `current` where there are any.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkBuyerReturns(
  input: ReturnsInput,
  current: ReturnSettings | undefined,
): ReturnSettings {
  const laid = layOver(input, current, Object.keys(Returns.shape));
  return settled(
    'returns',
    readParts(Returns, laid, (hint) => `is not a setting of returns.${hint}`),
  );
}
